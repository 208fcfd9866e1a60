import LockstepEvolution

/// A hash of everything that a schema's output depends on: the bytes of the schema and of its history, the path in the
/// headers, the options, and the generator.
///
/// The generator is identified by its version and by a hash of its output for known schemas, so two builds of one
/// version with different templates have different fingerprints.
///
/// Equal fingerprints mean equal output, so a run for an unchanged schema need not generate it to find that nothing has
/// changed.
package struct InputFingerprint: Hashable, Sendable {
    /// The version of the generator.
    package static let generatorVersion = "0.2.0"
    /// A hash of the generator's output for the schemas whose output is committed. A test compares it with that.
    static let templatesDigits = "5d66f47680e23385"

    let hash: ContentHash

    /// Computes the fingerprint of a schema's bytes and of the words that its output depends on.
    init(_ words: [String], schema: [UInt8]) {
        // No word contains a NUL, so two lists of words never have the same bytes.
        hash = ContentHash(Array(words.joined(separator: "\0").utf8) + [0] + schema)
    }
}
