import LockstepEvolution
import LockstepSchema

/// Creates a schema and its history from the versions of a bundle, up to the current one.
struct CoreDataVersions {
    private let bundle: CoreDataBundle
    private let name: String
    private let source: String

    init(_ bundle: CoreDataBundle, name: String, source: String) {
        (self.bundle, self.name, self.source) = (bundle, name, source)
    }

    private struct Version {
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
                read = []
                lost.append(Self.note("The versions up to \(version.name): \(error)", isLoss: true))
            }
            if isCurrent {
                lost += bundle.versions.dropFirst(index + 1).map {
                    Self.note("\($0.name), which is later than the current version", isLoss: true)
                }
                break
            }
        }
        let last = read[read.count - 1]
        var applied: Set<ImportRenaming> = []
        var found: [ImportNote] = []
        let history = try history(of: read, &found, &applied)
        var report = last.report
        report.removeNotes { $0.renaming.map(applied.contains) ?? false }
        for note in lost + found { report.add(note) }
        var sketch = last.imported.repaired.sketch
        sketch.version = history.head.number
        return (ImportedSchema(sketch, report, from: source, history: history.yaml), last.imported)
    }

    private static func note(_ text: String, isLoss: Bool) -> ImportNote {
        ImportNote(kind: isLoss ? .left : .decided, place: nil, text: text, help: nil)
    }

    private func read(_ version: CoreDataBundle.Version, number: Int) throws(ImportFailure) -> Version {
        let imported = try CoreDataImport.sketch(version, name: name, source: source)
        return Version(
            name: version.name, number: number, imported: imported,
            tree: SchemaTree(imported.repaired.schema.structure))
    }

    // MARK: The history

    private func history(
        of versions: [Version], _ notes: inout [ImportNote], _ applied: inout Set<ImportRenaming>
    ) throws(ImportFailure) -> SchemaHistory {
        var history: SchemaHistory?
        var former: SchemaTree?
        for version in versions {
            defer { former = version.tree }
            if let earlier = former, var recorded = history {
                do {
                    let changes = try changes(from: earlier, to: version, &notes, &applied)
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
        guard let history else { throw ImportFailure(source, "It has no version.") }
        return history
    }

    private struct Unanswered: Error { let reason: String }

    /// The changes, with an answer to each that could fail on some records.
    private func changes(
        from former: SchemaTree, to version: Version, _ notes: inout [ImportNote],
        _ applied: inout Set<ImportRenaming>
    ) throws(Unanswered) -> [SchemaChange] {
        var hints = ReviewHints()
        hints.renames = renames(in: version, from: former, &applied)
        var review = try review(from: former, to: version, hints)
        while review.problems.isEmpty,
            let open = review.findings.first(where: { $0.level == .error && !$0.answers.isEmpty }),
            // What Core Data does not call renamed is something else.
            let answer = open.code == .possibleRename ? open.answers.last : open.answers.first
        {
            notes.append(Self.note("\(version.name): \(open.message): \(answer.flags)", isLoss: false))
            let before = hints
            hints.follow(answer.flags)
            if hints == before { break }
            review = try self.review(from: former, to: version, hints)
        }
        guard review.isComplete else {
            let reason = review.problems.first?.reason ?? review.findings.first { $0.level == .error }?.message
            throw Unanswered(reason: reason ?? "")
        }
        return review.changes
    }

    private func review(
        from former: SchemaTree, to version: Version, _ hints: ReviewHints
    ) throws(Unanswered) -> ChangeReview {
        do throws(StructureError) {
            return try ChangeReview(from: former, to: version.tree, hints: hints)
        } catch {
            throw Unanswered(reason: error.description)
        }
    }

    /// Of two things with one former name, the first was renamed.
    private func renames(
        in version: Version, from former: SchemaTree, _ applied: inout Set<ImportRenaming>
    ) -> [MemberPath: String] {
        let renamings = version.report.notes.compactMap(\.renaming)
        var renames: [MemberPath: String] = [:]
        var formerTypes: [String: String] = [:]
        for renaming in renamings where renaming.member == nil {
            let path = MemberPath(renaming.former)
            guard let entity = renaming.entities.first, former.entities[path.type] != nil,
                former.entities[entity] == nil, renames[path] == nil, version.tree.entities[entity] != nil
            else { continue }
            renames[path] = entity
            formerTypes[entity] = path.type
            applied.insert(renaming)
        }
        for renaming in renamings {
            guard let member = renaming.member else { continue }
            for entity in renaming.entities {
                let path = MemberPath(formerTypes[entity] ?? entity, renaming.former)
                let members = former.entities[path.type]?.members
                guard members?[renaming.former] != nil, members?[member] == nil, renames[path] == nil,
                    version.tree.entities[entity]?.members[member] != nil
                else { continue }
                renames[path] = member
                applied.insert(renaming)
            }
        }
        return renames
    }
}
