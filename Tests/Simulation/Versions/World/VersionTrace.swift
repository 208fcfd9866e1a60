import LockstepSystem

/// What has happened, a line each.
final class VersionTrace: Sendable {
    private let lines = Locked<[String]>([])

    func step(_ number: Int, _ text: String) { lines.withLock { $0.append("\(number). \(text)") } }

    /// Something that came of a step.
    func note(_ text: String) { lines.withLock { $0.append("    \(text)") } }

    var all: [String] { lines.withLock { $0 } }
}

/// Something that a rule does not allow.
struct VersionViolation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
