/// The text of a schema with another version.
package enum VersionText {
    /// Replaces the value of `version:`, or adds the key after `schema:`. Everything else stays as it is.
    ///
    /// - Returns: `nil` if this is not possible in the text, which is then left to its author.
    package static func bytes(of source: SchemaSource, locations: SchemaLocations, version: Int) -> [UInt8]? {
        let lines = TextLines(source.bytes)
        let bytes: [UInt8]
        if let range = locations.version {
            bytes = replacing(
                lines.offset(of: range.start)..<lines.offset(of: range.end), text: "\(version)", in: source)
        } else {
            bytes = inserting(version, locations: locations, lines: lines, in: source)
        }
        return isSame(source, bytes: bytes, version: version) ? bytes : nil
    }

    private static func replacing(_ range: Range<Int>, text: String, in source: SchemaSource) -> [UInt8] {
        var bytes = source.bytes
        bytes.replaceSubrange(range, with: text.utf8)
        return bytes
    }

    private static func inserting(
        _ version: Int, locations: SchemaLocations, lines: TextLines, in source: SchemaSource
    ) -> [UInt8] {
        let name = locations.name
        if source.bytes[lines.offset(of: locations.document.start)...].first == UInt8(ascii: "{") {
            let end = lines.offset(of: name.end)
            return replacing(end..<end, text: ", version: \(version)", in: source)
        }
        let line = lines.line(name.start.line)
        let indentation = line.prefix { $0 == " " }
        let end = lines.range(ofLine: name.end.line).upperBound
        let lineBreak = source.bytes[end...].starts(with: [0x0D, 0x0A]) ? "\r\n" : "\n"
        return replacing(end..<end, text: "\(lineBreak)\(indentation)version: \(version)", in: source)
    }

    /// Whether the new text is the same schema with this version.
    private static func isSame(_ source: SchemaSource, bytes: [UInt8], version: Int) -> Bool {
        var new = source
        new.bytes = bytes
        var schema = readSchemas([new]).schemas.first
        guard schema?.version == version, let former = readSchemas([source]).schemas.first else { return false }
        schema?.version = former.version
        return schema == former
    }
}
