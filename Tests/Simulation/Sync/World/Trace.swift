import LockstepStore
import LockstepSystem

/// What has happened, a line each, as it is told to people.
final class Trace: Sendable {
    private let lines = Locked<[String]>([])

    /// A step of somebody.
    func step(_ number: Int, _ who: String, _ what: String) {
        lines.withLock {
            $0.append("\(String(repeating: " ", count: max(0, 3 - String(number).count)))\(number)  \(who) \(what)")
        }
    }

    /// Something that came of a step.
    func note(_ text: String) { lines.withLock { $0.append("       \(text)") } }

    var all: [String] { lines.withLock { $0 } }
}
