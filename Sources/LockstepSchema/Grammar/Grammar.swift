/// The language, declared once: every kind of mapping with its keys. Reading, messages, suggestions, the JSON Schema
/// for editors and the reference page all come from it.
public enum Grammar {
    /// The version of the language that this tool reads.
    static let languageVersion: Int64 = 1

    /// The sections in the order of the reference.
    static let sections: [GrammarSection] = [
        .schema, .wire, .enumeration, .enumerationCase, .type, .entity, .identity, .attribute, .relationship, .index,
        .remote,
    ]

    /// Reads a whole document. `nil` if so much was lost that no name is left to hold its place, as where `entities:`
    /// is a text: resolving what is left would only report the same problems in other words.
    static func read(_ root: Node, diagnostics: inout [Diagnostic]) -> SchemaDeclaration? {
        var reading = GrammarReading()
        let declaration = SchemaKeys.read(root, &reading)
        diagnostics += reading.diagnostics
        return reading.lossCount == 0 ? declaration : nil
    }
}
