import LockstepJSON

/// Why nothing could be imported.
package struct ImportFailure: Error, Hashable, CustomStringConvertible {
    package let path: String
    /// From 1; `nil` if it concerns the whole file.
    package let line: Int?
    /// The problem, and an instruction.
    package let reason: String

    init(_ path: String, line: Int? = nil, reason: String) {
        self.path = path
        self.line = line
        self.reason = reason
    }

    /// More than any database allows. Names are compared word by word, which takes long for much longer ones.
    private static let nameLimit = 1_000

    /// - Throws: An error for a name that is too long.
    static func checkLength(of name: String, _ path: String, line: Int) throws(ImportFailure) {
        guard name.utf8.count > nameLimit else { return }
        throw ImportFailure(
            path, line: line,
            reason: "The name '\(name.prefix(40).visible)…' has \(name.utf8.count) bytes; at most \(nameLimit) are "
                + "read. Shorten it.")
    }

    package var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)" }
}
