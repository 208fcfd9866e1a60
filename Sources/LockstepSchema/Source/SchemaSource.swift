/// One schema file as it was read from the disk.
public struct SchemaSource: Hashable, Sendable {
    /// The path as it was given, with `/` between its parts. Diagnostics and generated headers name it.
    public var path: String
    public var bytes: [UInt8]
    /// How many bytes of the file are not in `bytes`, since it has more than are read.
    var omittedByteCount = 0

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The most bytes that are read of a file. A schema of 1,000 entities has about 1 MB; sixteen times that is read in
    /// a second and a few hundred MB of memory.
    static let maximumByteCount = 16 * 1024 * 1024

    /// Whether the file has more than is read of any: it is told, and neither parsed nor shown.
    var isTooLarge: Bool { byteCount > Self.maximumByteCount }

    /// The size of the file.
    var byteCount: Int { bytes.count + omittedByteCount }
}
