/// The language, declared once: every kind of mapping with its keys. Reading, messages, suggestions, the JSON Schema
/// for editors and the reference page are all derived from it.
package enum Grammar {
    /// The version of the language that this tool supports.
    static let languageVersion: Int64 = 1

    /// The sections in the order of the reference.
    static let sections: [GrammarSection] = [
        .schema, .wire, .server, .enumeration, .enumerationCase, .type, .entity, .identity, .access, .attribute,
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
}
