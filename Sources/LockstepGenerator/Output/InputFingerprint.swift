/// What a schema's output is a function of, as a hash: the schema's bytes, the path in the headers, the options, and
/// the generator.
///
/// The generator is known by its version and by what it makes of a small schema: two builds of one version whose
/// templates differ take different fingerprints.
///
/// Equal fingerprints mean equal output, so that a run over an unchanged schema need not print it to know that nothing
/// changed.
public struct InputFingerprint: Hashable, Sendable {
    /// The version of the generator.
    public static let generatorVersion = "0.1.0"

    let hash: ContentHash

    /// Takes the fingerprint of a schema's bytes and of the words that its output depends on.
    init(_ words: [String], schema: [UInt8]) {
        // A NUL stands in no word, so that two lists of words are never the same bytes.
        hash = ContentHash(Array(words.joined(separator: "\0").utf8) + [0] + schema)
    }
}
