/// What the catalogue says of one diagnostic code. Each rule declares its entry beside itself.
public struct CatalogueEntry: Hashable, Sendable {
    public var code: DiagnosticCode
    /// The finding in a few words, no full stop: "Unknown key".
    public var title: String
    /// What it means and why it is an error, in whole sentences.
    public var explanation: String
    /// A complete schema that yields this code and no other.
    public var wrong: String
    /// The same schema, mended; it yields nothing.
    public var right: String
    /// How `wrong` becomes files where its text alone does not say it.
    public var trigger: Trigger

    public enum Trigger: Hashable, Sendable {
        /// The text as it stands.
        case text
        /// Two files of the same text.
        case twice
        /// The text in Latin-1, so that its letters outside ASCII are no UTF-8.
        case latin1
        /// The text with spaces after it, up to this number of bytes.
        case padded(toByteCount: Int)
    }

    public init(
        code: DiagnosticCode, title: String, explanation: String, wrong: String, right: String,
        trigger: Trigger = .text
    ) {
        self.code = code
        self.title = title
        self.explanation = explanation
        self.wrong = wrong
        self.right = right
        self.trigger = trigger
    }

    /// The files that show the finding: `wrong` as `trigger` says.
    public var wrongSources: [SchemaSource] {
        let bytes = Array(wrong.utf8)
        switch trigger {
        case .text:
            return [SchemaSource(path: "wrong.yaml", bytes: bytes)]
        case .twice:
            return [SchemaSource(path: "wrong.yaml", bytes: bytes), SchemaSource(path: "again.yaml", bytes: bytes)]
        case .latin1:
            let latin = wrong.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            return [SchemaSource(path: "wrong.yaml", bytes: latin)]
        case .padded(let byteCount):
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: max(0, byteCount - bytes.count))
            return [SchemaSource(path: "wrong.yaml", bytes: bytes + padding)]
        }
    }
}
