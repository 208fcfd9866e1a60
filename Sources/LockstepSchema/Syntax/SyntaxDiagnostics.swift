extension DiagnosticCode {
    /// A file without a document.
    package static let emptyFile = DiagnosticCode(rawValue: "empty-file")
    /// A second document in one file.
    package static let severalDocuments = DiagnosticCode(rawValue: "several-documents")
    /// A tag that the language does not support.
    package static let unknownTag = DiagnosticCode(rawValue: "unknown-tag")
    /// An alias without an anchor.
    package static let unknownAlias = DiagnosticCode(rawValue: "unknown-alias")
    /// A duplicate key in a mapping.
    package static let duplicateKey = DiagnosticCode(rawValue: "duplicate-key")
    /// A `<<` with a value that is not a mapping.
    package static let badMerge = DiagnosticCode(rawValue: "bad-merge")
}

extension Diagnostic {
    static func emptyFile(path: String) -> Diagnostic {
        Diagnostic(
            .emptyFile, at: SourceRange(startOf: path), message: "The file is empty",
            remedy: "Write a schema, or create one in a new file with 'lockstep init NAME'.")
    }

    static func severalDocuments(at range: TextRange, first: TextRange) -> Diagnostic {
        Diagnostic(
            .severalDocuments, at: range, message: "A second document begins here, but a schema file has one",
            remedy: "Move it into a file of its own, or remove the line '---'.",
            notes: [Note("The first document begins here", at: first)])
    }

    static func unknownTag(_ tag: String, at range: TextRange) -> Diagnostic {
        let shown = tag.hasPrefix("tag:yaml.org,2002:") ? "!!" + tag.dropFirst(18) : tag
        return Diagnostic(
            .unknownTag, at: range, message: "The tag '\(shown)' is not supported",
            remedy: "Remove the tag. If this is text that begins with '!', enclose it in quotes.")
    }

    static func unknownAlias(
        _ name: String, at range: TextRange, isInsideItself: Bool, known: [String]
    ) -> Diagnostic {
        if isInsideItself {
            return Diagnostic(
                .unknownAlias, at: range, message: "The alias '*\(name)' is inside its own anchor '&\(name)'",
                remedy: "Write out the value. A value cannot contain itself.")
        }
        let suggestion = nearest(to: name, among: known)
        return Diagnostic(
            .unknownAlias, at: range, message: "There is no anchor '&\(name)' before this alias",
            remedy: suggestion.map { "Did you mean '*\($0)'?" }
                ?? "Add '&\(name)' to the value. If this is text that begins with '*', enclose it in quotes.")
    }

    static func duplicateKey(_ key: String, at range: TextRange, first: TextRange) -> Diagnostic {
        let remedy =
            key == "<<" ? "Merge a list: '<<: [*one, *other]'." : "Remove or rename one of the two."
        return Diagnostic(
            .duplicateKey, at: range, message: "The key '\(key)' is used twice", remedy: remedy,
            notes: [Note("First used here", at: first)])
    }

    static func badMerge(at range: TextRange) -> Diagnostic {
        Diagnostic(
            .badMerge, at: range, message: "'<<' merges mappings, but this is not a mapping",
            remedy: "Use an alias of a mapping: '<<: *name', or several: '<<: [*one, *other]'.")
    }
}
