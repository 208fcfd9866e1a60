import LockstepJSON
package import LockstepReview

extension VersionedSchema {
    /// Compares the schema with a structure, and takes what the schema declares as renamed.
    ///
    /// - Parameter hints: They take precedence over what the schema declares.
    package func review(from former: SchemaTree, hints: ReviewHints) throws(StructureError) -> ChangeReview {
        let current = SchemaTree(schema.structure)
        var declared = ReviewHints()
        declared.renames = locations.renames(since: former, to: current)
        for (path, name) in locations.caseRenames where needsRename(path, from: former) { declared.cases[path] = name }
        for path in hints.renames.keys { declared.renames[path] = nil }
        return try ChangeReview(from: former, to: current, hints: declared.merging(hints))
    }

    /// Whether the raw value of a renamed case has gone.
    private func needsRename(_ path: MemberPath, from former: SchemaTree) -> Bool {
        guard case .object(let cases)? = former.enumerations[path.type]?["cases"], let value = cases[path.member ?? ""],
            let enumeration = schema.structure.enumeration(path.type)
        else { return false }
        return !enumeration.cases.contains { one in
            switch one.rawValue {
            case .string(let text): value == .string(text)
            case .int(let number): value == .integer(number)
            }
        }
    }

    /// The names whose `renamedFrom:` is recorded, so that it is not needed any more.
    package func recordedRenames(in changes: [SchemaChange]) -> [String] {
        var names: [String] = []
        let (renames, caseRenames) = (locations.renames, locations.caseRenames)
        for change in changes {
            if case .rename(to: let name) = change.action, renames[change.path] == name {
                names.append(change.path.member == nil ? name : "\(change.path.type).\(name)")
            }
            for (former, name) in change.answers.cases.sorted(by: { $0.key < $1.key })
            where caseRenames[MemberPath(change.path.type, member: former)] == name {
                names.append("\(change.path.type).\(name)")
            }
        }
        return names
    }

    /// The findings at their locations.
    ///
    /// - Parameter command: The command that records the changes, without hints for what is still open.
    package func diagnostics(of findings: [ReviewFinding], command: String) -> [Diagnostic] {
        findings.map { finding in
            Diagnostic(
                DiagnosticCode(rawValue: finding.code.rawValue), at: locations.range(of: finding.path),
                message: finding.message,
                remedies: finding.remedies(command), severity: Diagnostic.Severity(finding.level))
        }
    }
}

extension Diagnostic.Severity {
    fileprivate init(_ level: ReviewFinding.Level) {
        switch level {
        case .error: self = .error
        case .warning: self = .warning
        case .note: self = .note
        }
    }
}

extension ReviewFinding {
    /// One line for each answer, with the commands below each other.
    fileprivate func remedies(_ command: String) -> [String] {
        let width = answers.compactMap(\.condition?.count).max() ?? 0
        var lines = answers.map { answer in
            guard let condition = answer.condition else { return "\(command) \(answer.flags)" }
            let padding = String(repeating: " ", count: width - condition.count)
            return "\(condition): \(padding)\(command) \(answer.flags)"
        }
        if let help { lines.append(help) }
        if lines.isEmpty { lines = [level == .note ? "The store shows its progress." : "Revert the change."] }
        return lines
    }
}
