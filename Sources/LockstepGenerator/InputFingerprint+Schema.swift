import LockstepSchema

extension InputFingerprint {
    /// Computes the fingerprint of one schema's run.
    ///
    /// - Parameters:
    ///   - schema: The bytes of the schema file.
    ///   - source: Its path in the headers of generated files.
    ///   - options: The options of the run.
    public init(schema: [UInt8], source: String, options: GenerationOptions) {
        let words = [
            Self.generatorVersion, OutputSignature.digits, source, options.access?.rawValue ?? "",
            options.shards.map(String.init) ?? "",
            options.dialects.map(\.rawValue).joined(separator: ","),
        ]
        self.init(words, schema: schema)
    }
}
