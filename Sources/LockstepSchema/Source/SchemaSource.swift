/// One schema file as it was read from the disk.
package struct SchemaSource: Hashable, Sendable {
    /// The path as it was passed, with `/` as separator. It is used in diagnostics and generated headers.
    package var path: String
    package var bytes: [UInt8]
    /// The number of bytes of the file that are not in `bytes`, because the file is too large.
    var omittedByteCount = 0
    /// The files that the schema includes, as far as they were found, in its order.
    package private(set) var included: [SchemaSource] = []

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Reads the files that the schema includes.
    ///
    /// What the schema says is no path: only the name of a file in the folder of the schema is read.
    /// - Parameter file: Returns the file with this name beside the schema; `nil` if there is none.
    package mutating func include(_ file: (_ name: String) throws -> SchemaSource?) rethrows {
        included = try Grammar.includedNames(in: self).compactMap(file)
    }

    /// Whether a text is the name of a schema file in any folder, and not a path.
    static func isFileName(_ name: String) -> Bool {
        (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && !name.hasPrefix(".")
            && name.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789._-+ ".unicodeScalars.contains($0)
            }
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
