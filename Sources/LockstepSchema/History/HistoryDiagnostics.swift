extension DiagnosticCode {
    /// A history that is not as it was written.
    package static let historyEdited = DiagnosticCode(rawValue: "history-edited")
    /// A history that two branches have continued.
    package static let historyForked = DiagnosticCode(rawValue: "history-forked")
    /// A schema whose version is not the last one of its history.
    package static let historyBehind = DiagnosticCode(rawValue: "history-behind")
    /// A schema with a version and without a history.
    package static let historyMissing = DiagnosticCode(rawValue: "history-missing")
    /// A schema of which no version is recorded.
    package static let neverRecorded = DiagnosticCode(rawValue: "never-recorded")
    /// Files that the app cannot open.
    package static let cannotOpen = DiagnosticCode(rawValue: "cannot-open")
    /// Changes that no version records.
    package static let unrecordedChange = DiagnosticCode(rawValue: "unrecorded-change")
}

extension Diagnostic {
    static func historyEdited(_ error: StructureError, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .historyEdited, at: range, message: "The history is not as it was written: \(error.description)",
            remedy: "Restore the file from version control. Change the schema, and run 'lockstep migrate'.")
    }

    static func historyHasConflict(at range: TextRange) -> Diagnostic {
        Diagnostic(
            .historyForked, at: range, message: "The history has the conflicts of a merge",
            remedy: "Merge the schema, and run 'lockstep migrate --rebase'.")
    }

    static func headDiffers(_ error: StructureError, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .historyForked, at: range, message: "The head is not the last version: \(error.reason)",
            remedy: "If two branches were merged, run 'lockstep migrate --rebase'. Otherwise, restore the file.")
    }

    static func repeatedVersion(_ number: String, at range: TextRange, first: TextRange) -> Diagnostic {
        Diagnostic(
            .historyForked, at: range,
            message: "There are two versions \(number): two branches have continued the history",
            remedy: "Merge the schema, and run 'lockstep migrate --rebase'.",
            notes: [Note("The first is here", at: first)])
    }

    static func historyOfAnother(_ name: String, in schema: String, at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .historyEdited, at: range, message: "The history is that of '\(name)', not of '\(schema)'",
            remedy: "Restore the name of the schema. Another name is another store: it begins its own history.")
    }

    static func historyBehind(_ version: Int, head: Int, at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .historyBehind, at: range,
            message: "The schema's version is \(version), but the history's last version is \(head)",
            remedy: """
                Write 'version: \(head)'. 'lockstep migrate' raises it with each recorded change. If the history is older \
                than the schema, restore it from version control.
                """)
    }

    static func historyMissing(_ version: Int, path: String, at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .historyMissing, at: range, message: "The version is \(version), but '\(path)' does not exist",
            remedy: """
                Restore the file from version control. If there never was one, run 'lockstep migrate' to begin it. \
                Without a history, no store of an earlier version can be opened.
                """, severity: .warning)
    }

    static func neverRecorded(_ schema: String, at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .neverRecorded, at: range, message: "No version of '\(schema)' is recorded",
            remedy: """
                Before the first release, run 'lockstep migrate --name first'. An app with another schema opens only \
                files of recorded versions.
                """, severity: .warning)
    }

    /// The first version cannot be recorded, because another schema may have been released.
    ///
    /// - Parameters:
    ///   - reason: Why that is not known, as a clause.
    ///   - commands: Those that record what was released, each with its condition.
    package static func firstVersionIsUnknown(
        _ schema: String, because reason: String, commands: [(condition: String, command: String)],
        at range: SourceRange
    ) -> Diagnostic {
        let width = commands.map(\.condition.count).max() ?? 0
        let lines = commands.map { one in
            "\(one.condition): \(String(repeating: " ", count: width - one.condition.count))\(one.command)"
        }
        return Diagnostic(
            .neverRecorded, at: range, message: "No version of '\(schema)' is recorded, and \(reason)", remedies: lines)
    }

    static func cannotOpen(_ files: String, reason: String, remedy: String, at range: SourceRange) -> Diagnostic {
        Diagnostic(.cannotOpen, at: range, message: "\(files) cannot be opened: \(reason)", remedy: remedy)
    }

    static func unrecordedChange(_ changes: [SchemaChange], at range: SourceRange, severity: Severity) -> Diagnostic {
        let count =
            changes.count == 1 ? "1 change that no version records" : "\(changes.count) changes that no version records"
        let shown = changes.prefix(3).map(\.text).joined(separator: "; ")
        let rest = changes.count > 3 ? "; …" : ""
        return Diagnostic(
            .unrecordedChange, at: range, message: "The schema has \(count): \(shown)\(rest)",
            remedy: "Run 'lockstep migrate --name NAME'. 'lockstep diff' shows what the changes need.",
            severity: severity)
    }
}
