/// The language, declared once.
public enum Grammar {
    static func read(_ root: Node, diagnostics: inout [Diagnostic]) -> SchemaDeclaration? { nil }
}
