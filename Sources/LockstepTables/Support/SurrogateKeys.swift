import Foundation
import LockstepSystem

/// Keys for records of entities without identity.
///
/// They count up from the time in microseconds, shifted to leave room for as many as a process can create. So they are
/// known before a save, sort in the order of creation, and those of two processes do not collide.
package enum SurrogateKeys {
    private static let last = Locked<Int64>(0)

    package static func next() -> Int64 {
        last.withLock { last in
            let time = Int64(Date().timeIntervalSince1970 * 1_000_000) << 11
            last = max(last + 1, time + Int64.random(in: 0..<2048))
            return last
        }
    }
}
