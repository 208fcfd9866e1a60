import LockstepJSON

/// A problem in a schema: where it is, what is wrong and what to do.
package struct Diagnostic: Hashable, Sendable {
    package enum Severity: String, Codable, Hashable, Sendable { case error, warning, note }

    /// The stable code: `unknown-key`. The catalogue of all codes has an entry for it.
    package var code: DiagnosticCode
    package var severity: Severity
    /// A sentence without a full stop. Names are in single quotes.
    package var message: String
    /// Why an option is not allowed, which is the end of the message; `nil` for a diagnostic of another kind.
    package private(set) var cause: String?
    /// The location. The caret is under its first column.
    package var location: SourceRange
    /// Instructions that solve the problem: "Write 'string?' or remove the key."
    package var remedies: [String]
    /// Other locations that explain it: "first declared here".
    package var notes: [Note]

    package struct Note: Hashable, Sendable {
        package var message: String
        package var location: SourceRange

        package init(_ message: String, at location: SourceRange) {
            self.message = message
            self.location = location
        }
    }

    package init(
        _ code: DiagnosticCode, at location: SourceRange, message: String, remedies: [String],
        severity: Severity = .error, notes: [Note] = []
    ) {
        self.code = code
        self.severity = severity
        self.message = message
        self.location = location
        self.remedies = remedies
        self.notes = notes
    }

    package init(
        _ code: DiagnosticCode, at location: SourceRange, message: String, remedy: String,
        severity: Severity = .error, notes: [Note] = []
    ) {
        self.init(code, at: location, message: message, remedies: [remedy], severity: severity, notes: notes)
    }

    /// The remedies, each in one line: they quote the schema, which cannot add lines.
    package var remedy: String { remedies.map(\.visible).joined(separator: "\n") }
}

extension Diagnostic {
    /// The message as the end of a sentence that begins in another way.
    package var reason: String {
        let word = message.prefix { $0 != " " }
        let isName = word.dropFirst().contains { !$0.isLowercase } || word.first?.isUppercase != true
        return isName ? message : message.prefix(1).lowercased() + message.dropFirst()
    }

    /// An option that something else rules out.
    static func notAllowed(
        _ option: String, code: DiagnosticCode, at range: TextRange, because cause: String, remedy: String,
        notes: [Note] = []
    ) -> Diagnostic {
        var diagnostic = Diagnostic(
            code, at: range, message: "'\(option)' is not allowed here: \(cause)", remedy: remedy, notes: notes)
        diagnostic.cause = cause
        return diagnostic
    }

    /// A diagnostic of somebody who reads a text, and does not know its file: `located(in:)` adds the path.
    init(
        _ code: DiagnosticCode, at range: TextRange, message: String, remedy: String, severity: Severity = .error,
        notes: [Note] = []
    ) {
        self.init(
            code, at: SourceRange(path: "", range: range), message: message, remedy: remedy, severity: severity,
            notes: notes)
    }

    /// The diagnostic with the path of the file that was read, wherever it has none.
    func located(in path: String) -> Diagnostic { located(in: [path]) }

    /// The same for a schema and the files that it includes, in order.
    func located(in paths: [String]) -> Diagnostic {
        var diagnostic = self
        if location.path.isEmpty { diagnostic.location.locate(in: paths) }
        for index in notes.indices where notes[index].location.path.isEmpty {
            diagnostic.notes[index].location.locate(in: paths)
        }
        return diagnostic
    }
}

extension Diagnostic.Note {
    init(_ message: String, at range: TextRange) {
        self.init(message, at: SourceRange(path: "", range: range))
    }
}

/// The stable name of a kind of diagnostic, in kebab-case. Each rule declares its codes as static members.
package struct DiagnosticCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}
