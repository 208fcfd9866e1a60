import LockstepEvolution
import LockstepSchema

extension InputFingerprint {
    /// Computes the fingerprint of one schema's run.
    ///
    /// - Parameters:
    ///   - schema: The bytes of the schema file.
    ///   - source: Its path in the headers of generated files.
    ///   - options: The options of the run.
    ///   - history: The bytes of the history beside it; `nil` if there is none.
    package init(schema: [UInt8], source: String, options: GenerationOptions, history: [UInt8]? = nil) {
        let words = [
            Self.generatorVersion, Self.templatesDigits, source, options.access?.rawValue ?? "",
            options.shards.map(String.init) ?? "",
            (options.dialects.map(\.rawValue) + (options.hasServer ? ["server"] : [])).joined(separator: ","),
            history.map { ContentHash($0).digits } ?? "",
        ]
        self.init(words, schema: schema)
    }
}
