import LockstepSchema

extension InputFingerprint {
    /// Takes the fingerprint of one schema's run.
    ///
    /// - Parameters:
    ///   - schema: The bytes of the schema file.
    ///   - source: Its path as the headers of generated files name it.
    ///   - options: What the run was asked for.
    public init(schema: [UInt8], source: String, options: GenerationOptions) {
        let words = [
            Self.generatorVersion, OutputSignature.digits, source, options.access?.rawValue ?? "",
            options.shards.map(String.init) ?? "",
            options.dialects.map(\.rawValue).joined(separator: ","),
        ]
        self.init(words, schema: schema)
    }
}
