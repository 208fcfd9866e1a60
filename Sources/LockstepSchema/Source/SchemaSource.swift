/// One schema file as it was read from the disk.
package struct SchemaSource: Hashable, Sendable {
    /// The path as it was passed, with `/` as separator. It is used in diagnostics and generated headers.
    package var path: String
    package var bytes: [UInt8]
    /// The number of bytes of the file that are not in `bytes`, because the file is too large.
    var omittedByteCount = 0
    /// The files that the schema includes, as far as they were found, in its order.
    package internal(set) var included: [SchemaSource] = []

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The name of the file, without its folder, or its revision of Git.
    package var name: String { path.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? "" }

    /// The bytes of the schema and of the files that it includes, which all that is generated depends on.
    package var allBytes: [UInt8] {
        included.reduce(into: bytes) { bytes, file in
            bytes += [0] + file.name.utf8 + [0] + file.bytes
        }
    }

    /// The maximum number of bytes that are read of a file. A schema of 1,000 entities has about 1 MB; sixteen times
    /// that is read in a second, with a few hundred MB of memory.
    static let maximumByteCount = 16 * 1024 * 1024

    /// Whether the file is too large, in which case it is reported, and neither parsed nor shown.
    var isTooLarge: Bool { byteCount > Self.maximumByteCount }

    /// The size of the file.
    var byteCount: Int { bytes.count + omittedByteCount }
}
