import Foundation

/// A value protected by a lock. (`Mutex` of the standard library requires newer systems than we do.)
///
/// It is unchecked, because the compiler cannot see that `value` is only accessed while `lock` is held.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Runs `body` exclusively. Its result must not refer to objects of the value.
    package func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
