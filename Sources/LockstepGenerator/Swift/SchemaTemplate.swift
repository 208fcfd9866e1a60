import LockstepSchema

/// `JournalSchema.swift`: the schema for the store, with the statements that create its tables.
enum SchemaTemplate {
    static func file(in scope: SwiftScope) -> SwiftFile {
        let schema = scope.schema
        let access = scope.access
        let entities = schema.entities.map { Code("\($0.swiftName).self") }
        let statements = sqlStatements(for: schema, dialect: .sqlite).map(literal)
        let body: Code = """
            \(Code.documentation(schema.documentation, indentation: 0))
            \(access)enum \(schema.swiftName): \(scope.runtime("StoreSchema")) {
                \(access)static let name = \(SwiftLiteral.string(schema.name))
                \(access)static let version = \(schema.version)
                \(access)static let entities: [any \(scope.runtime("Model")).Type] = [
                    \(Code.elements(entities))
                ]

                /// The SQL that creates the tables, indexes and triggers, in the order of execution.
                \(access)static let statements: [\(scope.standard("String"))] = [
                    \(Code.elements(statements))
                ]
            }
            """
        return SwiftFile(modules: Imports.modules(for: [], in: scope), body: body)
    }

    /// A statement as a multi-line literal, which is raw if necessary, so that the SQL is readable.
    private static func literal(_ statement: String) -> Code {
        // Swift does not allow control characters in a literal, and converts CR LF to LF.
        if statement.utf8.contains(where: { ($0 < 0x20 && $0 != .newline) || $0 == 0x7F }) {
            let lines = statement.split(separator: "\n", omittingEmptySubsequences: false)
            return """
                \"""
                \(Code.lines(lines.map { Code(String(SwiftLiteral.string(String($0)).dropFirst().dropLast())) }))
                \"""
                """
        }
        let delimiter = String(repeating: "#", count: poundSigns(for: statement))
        return """
            \(delimiter)\"""
            \(Code(statement))
            \"""\(delimiter)
            """
    }

    /// The number of `#` that a literal needs so that nothing in the text is an escape or ends it.
    private static func poundSigns(for text: String) -> Int {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "\\") }) || hasTripleQuote(text.utf8) else { return 0 }
        var count = 1
        while text.contains("\"\"\"" + String(repeating: "#", count: count))
            || text.contains("\\" + String(repeating: "#", count: count))
        {
            count += 1
        }
        return count
    }

    private static func hasTripleQuote(_ text: String.UTF8View) -> Bool {
        var run = 0
        for byte in text {
            run = byte == UInt8(ascii: "\"") ? run + 1 : 0
            if run == 3 { return true }
        }
        return false
    }
}
