extension DiagnosticCode {
    /// A key that its mapping does not have.
    package static let unknownKey = DiagnosticCode(rawValue: "unknown-key")
    /// A key that is required and absent.
    package static let missingKey = DiagnosticCode(rawValue: "missing-key")
    /// A value of another kind than its key requires.
    package static let wrongKind = DiagnosticCode(rawValue: "wrong-kind")
    /// A value of the right kind that is not one of those allowed.
    package static let notAllowed = DiagnosticCode(rawValue: "not-allowed")
    /// A type whose text cannot be read.
    package static let malformedType = DiagnosticCode(rawValue: "malformed-type")
    /// A `lockstep:` other than the version that this tool supports.
    package static let unsupportedLanguage = DiagnosticCode(rawValue: "unsupported-language")
}

extension Diagnostic {
    static func unknownKey(
        _ name: String, at range: TextRange, in section: GrammarSection, meant: KeyDescription?
    ) -> Diagnostic {
        let known = section.keys.map { "'\($0.name)'" }
        return unknownKey(
            name, at: range, in: section,
            remedy: meant.map { "Did you mean '\($0.name)'?" }
                ?? "Remove it, or use \(ValueShape.alternatives(known)).")
    }

    static func unknownKey(
        _ name: String, at range: TextRange, in section: GrammarSection, remedy: String
    ) -> Diagnostic {
        Diagnostic(
            .unknownKey, at: range, message: "Unknown key '\(name.shortened)' in \(section.noun)", remedy: remedy)
    }

    static func keyIsNotText(at range: TextRange) -> Diagnostic {
        Diagnostic(
            .wrongKind, at: range, message: "A key must be text, not a list or a mapping",
            remedy: "Enclose a key that begins with '[', '{' or '?' in quotes.")
    }

    static func missingKey(_ key: KeyDescription, of section: GrammarSection, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .missingKey, at: range, message: "The key '\(key.name)' is missing in \(section.noun)",
            remedy: "Add it, for example '\(key.example)'.")
    }

    static func wrongKind(_ node: Node, under key: KeyDescription) -> Diagnostic {
        wrongKind(
            node, subject: "'\(key.name)'", expected: key.shape.expectation, example: key.example,
            isRequired: key.isRequired)
    }

    static func wrongKind(
        _ node: Node, subject: String, expected: String, example: String, isRequired: Bool = false
    ) -> Diagnostic {
        Diagnostic(
            .wrongKind, at: node.range, message: "\(subject) must be \(expected), not \(node.kindDescription)",
            remedy: "Write, for example, '\(example)'" + (node.isNull && !isRequired ? ", or remove the key." : "."))
    }

    static func tooSmall(_ number: Int64, least: Int64, at range: TextRange, key: KeyDescription) -> Diagnostic {
        Diagnostic(
            .notAllowed, at: range, message: "'\(key.name)' must be at least \(least), not \(number)",
            remedy: "Write, for example, '\(key.example)'.")
    }

    static func notAllowed(_ text: String, at range: TextRange, under key: String, allowed: [String]) -> Diagnostic {
        let alternatives = ValueShape.alternatives(allowed.map { "'\($0)'" })
        return Diagnostic(
            .notAllowed, at: range, message: "'\(text.shortened)' is not a value of '\(key)'",
            remedy: nearest(to: text, among: allowed).map { "Did you mean '\($0)'?" } ?? "Write \(alternatives).")
    }

    static func unusableName(_ text: String, at range: TextRange, under key: String) -> Diagnostic {
        Diagnostic(
            .unusableName, at: range,
            message: "'\(key)' must be one line without control characters, not '\(text.shortened)'",
            remedy: "Write a name that can be read where it is printed.")
    }

    static func unsupportedLanguage(_ version: Int64, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .unsupportedLanguage, at: range,
            message: "This schema uses version \(version) of the language, but this tool reads version 1",
            remedy: "Write 'lockstep: 1', or use a newer tool.")
    }
}
