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

    package var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)" }
}
