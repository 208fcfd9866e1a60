import LockstepEvolution
import LockstepReview
import LockstepSchema

/// Creates a schema and its history from the versions of a bundle, up to the current one.
struct CoreDataVersions {
    private let bundle: CoreDataBundle
    private let name: String
    private let source: String

    init(_ bundle: CoreDataBundle, name: String, source: String) {
        (self.bundle, self.name, self.source) = (bundle, name, source)
    }

    struct Version {
        let name: String
        let number: Int
        let imported: CoreDataImport.Result
        let tree: SchemaTree

        var report: ImportReport { imported.report }
    }

    /// - Returns: The schema with its history, and what was made of the current version.
    func run() throws(ImportFailure) -> (schema: ImportedSchema, current: CoreDataImport.Result) {
        var read: [Version] = []
        var lost: [ImportNote] = []
        for (index, version) in bundle.versions.enumerated() {
            let isCurrent = version.path == bundle.current.path
            do {
                read.append(try self.read(version, number: index + 1))
            } catch {
                if isCurrent { throw error }
                lost.append(Self.note("The version \(version.name): \(error)", isLoss: true))
            }
            if isCurrent {
                lost += bundle.versions.dropFirst(index + 1).map {
                    Self.note("\($0.name), which is later than the current version", isLoss: true)
                }
                break
            }
        }
        let last = read[read.count - 1]
        var outcomes: [ImportRenaming: CoreDataRenamings.Outcome] = [:]
        var found: [ImportNote] = []
        let history = try history(of: read, into: &found, outcomes: &outcomes)
        var report = last.report
        let open = report.notes.compactMap { Self.unused($0, outcomes: outcomes) }
        report.removeNotes { $0.renaming != nil }
        if let note = bundle.choiceNote { report.add(note) }
        for note in lost + found + open { report.add(note) }
        var sketch = last.imported.repaired.sketch
        sketch.version = history.head.number
        return (ImportedSchema(sketch, report: report, from: source, history: history.yaml), last.imported)
    }

    /// The note about a renaming identifier that nothing was renamed by; `nil` for any other note.
    private static func unused(
        _ note: ImportNote, outcomes: [ImportRenaming: CoreDataRenamings.Outcome]
    ) -> ImportNote? {
        guard let renaming = note.renaming else { return nil }
        let outcome = outcomes[renaming]
        if outcome == .followed { return nil }
        return ImportNote(
            kind: .left, location: note.location, text: note.text,
            help: outcome == .repeated
                ? "Something else has it, too, and was renamed."
                : "No earlier version that was imported has this name, so nothing was renamed.")
    }

    private static func note(_ text: String, isLoss: Bool) -> ImportNote {
        ImportNote(kind: isLoss ? .left : .decided, location: nil, text: text, help: nil)
    }

    private func read(_ version: CoreDataBundle.Version, number: Int) throws(ImportFailure) -> Version {
        let imported = try CoreDataImport.sketch(version, name: name)
        return Version(
            name: version.name, number: number, imported: imported,
            tree: SchemaTree(imported.repaired.schema.structure))
    }

    // MARK: The history

    private func history(
        of versions: [Version], into notes: inout [ImportNote],
        outcomes: inout [ImportRenaming: CoreDataRenamings.Outcome]
    ) throws(ImportFailure) -> SchemaHistory {
        var history: SchemaHistory?
        var former: Version?
        for version in versions {
            defer { former = version }
            if let earlier = former, var recorded = history {
                do {
                    let changes = try changes(from: earlier, to: version, into: &notes, outcomes: &outcomes)
                    recorded.versions[recorded.versions.count - 1].isReleased = true
                    recorded.append(changes, resultingIn: version.tree, name: version.name)
                    history = recorded
                    continue
                } catch {
                    notes.append(Self.note("The versions before \(version.name): \(error.reason)", isLoss: true))
                }
            }
            history = SchemaHistory(beginningWith: version.tree, version: version.number, name: version.name)
        }
        guard let history else { throw ImportFailure(source, reason: "It has no version.") }
        return history
    }

    private struct Unanswered: Error { let reason: String }

    /// The changes, with an answer to each that could fail on some records.
    private func changes(
        from earlier: Version, to version: Version, into notes: inout [ImportNote],
        outcomes: inout [ImportRenaming: CoreDataRenamings.Outcome]
    ) throws(Unanswered) -> [SchemaChange] {
        var hints = ReviewHints()
        let renamings = CoreDataRenamings(from: earlier, to: version)
        hints.renames = renamings.renames
        outcomes.merge(renamings.outcomes) { $1 }
        notes += renamings.conflicts.map { conflict in
            ImportNote(
                kind: .left, location: nil, text: "\(version.name): \(conflict)",
                help: "The values stay under their former names. Give the new one a name that nothing had, and import "
                    + "again.")
        }
        let former = earlier.tree
        var review = try review(from: former, to: version, hints: hints)
        while review.problems.isEmpty, let open = Self.firstOpen(review.findings), let answer = Self.answer(open) {
            let before = hints
            hints.follow(answer)
            hints.renames = Self.renames(in: hints)
            if hints == before { break }
            notes.append(Self.note("\(version.name): \(open.message): \(answer)", isLoss: false))
            review = try self.review(from: former, to: version, hints: hints)
        }
        guard review.isComplete else {
            let reason = review.problems.first?.reason ?? review.findings.first { $0.level == .error }?.message
            throw Unanswered(reason: reason ?? "")
        }
        return review.changes
    }

    /// The renames without those of members that are removed, alone or with their entity.
    private static func renames(in hints: ReviewHints) -> [MemberPath: String] {
        hints.renames.filter { path, _ in
            guard path.member != nil else { return true }
            let type = MemberPath(hints.renames[MemberPath(path.type)] ?? path.type)
            return !hints.removals.contains(path) && !hints.removals.contains(type)
        }
    }

    /// The first finding without an answer. If an identity changes, its answer makes those about members unnecessary.
    private static func firstOpen(_ findings: [ReviewFinding]) -> ReviewFinding? {
        let errors = findings.filter { $0.level == .error }
        return errors.first { $0.code == .changesIdentity } ?? errors.first
    }

    /// The hints that answer a finding; `nil` if none does.
    private static func answer(_ finding: ReviewFinding) -> String? {
        switch finding.code {
        // What Core Data does not call renamed is something else.
        case .possibleRename: finding.answers.last?.flags
        // No store has the records of an earlier version, so the entity with another identity is another one.
        case .changesIdentity: "--remove \(finding.path.type)"
        default: finding.answers.first?.flags
        }
    }

    private func review(
        from former: SchemaTree, to version: Version, hints: ReviewHints
    ) throws(Unanswered) -> ChangeReview {
        do throws(StructureError) {
            return try ChangeReview(from: former, to: version.tree, hints: hints)
        } catch {
            throw Unanswered(reason: error.description)
        }
    }
}
