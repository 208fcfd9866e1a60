/// The language, declared once: every kind of mapping with its keys. Reading, messages, suggestions, the JSON Schema
/// for editors and the reference page are all derived from it.
package enum Grammar {
    /// The version of the language that this tool supports.
    static let languageVersion: Int64 = 1

    /// The sections in the order of the reference.
    static let sections: [GrammarSection] = [
        .schema, .part, .wire, .server, .enumeration, .enumerationCase, .type, .entity, .identity, .access, .attribute,
        .relationship, .index, .remote,
    ]

    /// Reads a whole document. `nil` if so much is unreadable that not even a name is left, for example if `entities:`
    /// is a text: resolving the rest would only report the same problems in other words.
    static func read(_ root: Node, path: String, diagnostics: inout [Diagnostic]) -> SchemaDeclaration? {
        var reading = GrammarReading()
        let declaration = SchemaKeys.read(root, path: path, into: &reading)
        diagnostics += reading.diagnostics.map { $0.located(in: path) }
        return reading.unreadableCount == 0 ? declaration : nil
    }

    /// Reads the last of these files, which a schema includes; `nil` if so much is unreadable.
    static func readPart(_ root: Node, paths: [String], diagnostics: inout [Diagnostic]) -> PartDeclaration? {
        var reading = GrammarReading()
        let part = SchemaKeys.readPart(root, into: &reading)
        diagnostics += reading.diagnostics.map { $0.located(in: paths) }
        return reading.unreadableCount == 0 ? part : nil
    }

    /// The names of the files that a schema includes, without those that are not names of files.
    static func includedNames(in source: SchemaSource) -> [String] {
        // Few schemas include files; the others are not parsed twice.
        guard source.bytes.contains(SchemaKeys.include.description.name) else { return [] }
        var (diagnostics, reading) = ([Diagnostic](), GrammarReading())
        guard let root = parseYAML(source, diagnostics: &diagnostics), case .mapping(let entries) = root.content,
            let node = entries.first(where: { $0.key.text == SchemaKeys.include.description.name })?.value
        else { return [] }
        let names = SchemaKeys.include.kind.read(node, SchemaKeys.include.description, &reading) ?? []
        return names.map(\.value).filter(SchemaSource.isFileName)
    }
}

extension [UInt8] {
    /// Whether a text is anywhere in these bytes.
    fileprivate func contains(_ text: String) -> Bool {
        withUnsafeBufferPointer { bytes in
            guard let first = text.utf8.first else { return true }
            var rest = bytes[...]
            while let start = rest.firstIndex(of: first) {
                if bytes[start...].starts(with: text.utf8) { return true }
                rest = bytes[(start + 1)...]
            }
            return false
        }
    }
}
