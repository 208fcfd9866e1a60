/// One file to be written.
public struct GeneratedFile: Hashable, Sendable {
    /// Relative to the output folder, with `/`: `Journal/Entry.swift`.
    public var path: String
    public var contents: [UInt8]

    public init(path: String, contents: [UInt8]) {
        self.path = path
        self.contents = contents
    }
}
