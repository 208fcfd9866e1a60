import Foundation

/// A value behind a lock. (`Mutex` of the standard library asks for newer systems than we do.)
///
/// Unchecked, because the compiler cannot see that `value` is only touched while `lock` is held.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Runs `body` alone. What it returns must not lead back to the value's references.
    package func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
