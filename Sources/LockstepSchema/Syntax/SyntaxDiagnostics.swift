extension DiagnosticCode {
    /// A file without a document.
    public static let emptyFile = DiagnosticCode(rawValue: "empty-file")
    /// A second document in one file.
    public static let severalDocuments = DiagnosticCode(rawValue: "several-documents")
    /// A tag that the language has no use for.
    public static let unknownTag = DiagnosticCode(rawValue: "unknown-tag")
    /// An alias of nothing.
    public static let unknownAlias = DiagnosticCode(rawValue: "unknown-alias")
    /// A key given twice in one mapping.
    public static let duplicateKey = DiagnosticCode(rawValue: "duplicate-key")
    /// A `<<` of something that is no mapping.
    public static let badMerge = DiagnosticCode(rawValue: "bad-merge")
}

extension Diagnostic {
    static func emptyFile(path: String) -> Diagnostic {
        Diagnostic(
            .emptyFile, at: SourceRange(startOf: path), "The file is empty",
            remedy: "Write a schema into it; 'lockstep init NAME' writes one to begin with, as a file of its own.")
    }

    static func severalDocuments(at range: SourceRange, first: SourceRange) -> Diagnostic {
        Diagnostic(
            .severalDocuments, at: range, "A second document begins here, and a schema file holds one",
            remedy: "Move it into a file of its own, or remove the line '---'.",
            notes: [Note("The first document begins here", at: first)])
    }

    static func unknownTag(_ tag: String, at range: SourceRange) -> Diagnostic {
        let shown = tag.hasPrefix("tag:yaml.org,2002:") ? "!!" + tag.dropFirst(18) : tag
        return Diagnostic(
            .unknownTag, at: range, "The tag '\(shown)' has no meaning here",
            remedy: "Remove the tag; put quotes around a text that begins with '!'.")
    }

    static func unknownAlias(
        _ name: String, at range: SourceRange, isInsideItself: Bool, known: [String]
    ) -> Diagnostic {
        if isInsideItself {
            return Diagnostic(
                .unknownAlias, at: range, "The alias '*\(name)' stands inside its own anchor '&\(name)'",
                remedy: "Write out the value that is meant; a value cannot hold itself.")
        }
        let suggestion = nearest(to: name, among: known)
        return Diagnostic(
            .unknownAlias, at: range, "There is no anchor '&\(name)' above this alias",
            remedy: suggestion.map { "Did you mean '*\($0)'?" }
                ?? "Put '&\(name)' before the value that is meant, or quotes around a text that begins with '*'.")
    }

    static func duplicateKey(_ key: String, at range: SourceRange, first: SourceRange) -> Diagnostic {
        let remedy =
            key == "<<" ? "Merge a list: '<<: [*one, *other]'." : "Remove one of the two, or call it otherwise."
        return Diagnostic(
            .duplicateKey, at: range, "The key '\(key)' is given twice", remedy: remedy,
            notes: [Note("First given here", at: first)])
    }

    static func badMerge(at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .badMerge, at: range, "'<<' merges mappings, and this is none",
            remedy: "Name an anchor of a mapping: '<<: *name', or several: '<<: [*one, *other]'.")
    }
}
