/// An entry of the catalogue, for one diagnostic code. Each rule declares its own entry.
package struct CatalogueEntry: Hashable, Sendable {
    package var code: DiagnosticCode
    /// The diagnostic in a few words, without a full stop: "Unknown key".
    package var title: String
    /// The meaning, and the reason that it is an error, in complete sentences.
    package var explanation: String
    /// A complete schema that causes this diagnostic and no other.
    package var wrong: String
    /// The same schema, fixed; it causes no diagnostics.
    package var right: String
    /// How files are made from `wrong`, if its text alone does not cause the diagnostic.
    package var trigger: Trigger

    package enum Trigger: Hashable, Sendable {
        /// The text, unchanged.
        case text
        /// Two files of the same text.
        case twice
        /// The text, with this file as `Shared.yaml` beside it.
        case including(String)
        /// The text in Latin-1, so that its non-ASCII letters are invalid UTF-8.
        case latin1
        /// The text with spaces after it, up to this number of bytes.
        case padded(toByteCount: Int)
        /// The text is the history of `right`.
        case history
        /// The text, with a history whose only version is that of this schema, and has this number.
        case recorded(String, version: Int)
        /// The text, which was this schema in its last version.
        case changed(from: String)
        /// The text, when it is compared with this schema of the other side of a release.
        case compared(with: String)
        /// The text, when this command is run.
        case command(String)
    }

    package init(
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

    /// The files that cause the diagnostic: `wrong`, prepared according to `trigger`.
    package var wrongSources: [SchemaSource] {
        let bytes = Array(wrong.utf8)
        switch trigger {
        case .text, .history, .recorded, .changed, .compared, .command:
            return [SchemaSource(path: "wrong.yaml", bytes: bytes)]
        case .twice:
            return [SchemaSource(path: "wrong.yaml", bytes: bytes), SchemaSource(path: "again.yaml", bytes: bytes)]
        case .including(let shared):
            var source = SchemaSource(path: "wrong.yaml", bytes: bytes)
            source.included = [SchemaSource(path: "Shared.yaml", bytes: Array(shared.utf8))]
            return [source]
        case .latin1:
            let latin = wrong.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            return [SchemaSource(path: "wrong.yaml", bytes: latin)]
        case .padded(let byteCount):
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: max(0, byteCount - bytes.count))
            return [SchemaSource(path: "wrong.yaml", bytes: bytes + padding)]
        }
    }
}
