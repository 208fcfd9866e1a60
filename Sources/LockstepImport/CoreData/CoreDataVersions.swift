import LockstepEvolution
import LockstepSchema

/// Makes a schema and its history of the versions of a bundle, up to the current one.
struct CoreDataVersions {
    private let bundle: CoreDataBundle
    private let name: String
    private let source: String

    init(_ bundle: CoreDataBundle, name: String, source: String) {
        (self.bundle, self.name, self.source) = (bundle, name, source)
    }

    private struct Version {
        let name: String
        let path: String
        let sketch: SchemaSketch
        let report: ImportReport
        let tree: SchemaTree
    }

    func run() throws(ImportFailure) -> ImportedSchema {
        var read: [Version] = []
        for version in bundle.versions {
            read.append(try self.read(version))
            if version.path == bundle.current.path { break }
        }
        let last = read[read.count - 1]
        var report = last.report
        report.removeNotes { $0.help == CoreDataLeftovers.renamingHelp }
        for version in bundle.versions.dropFirst(read.count) {
            report.add(
                .init(
                    kind: .left, place: nil, text: "\(version.name), which is later than the current version", help: nil
                ))
        }
        let history = try history(of: read, &report)
        var sketch = last.sketch
        sketch.version = history.head.number
        sketch.comments = ["Imported from \(source)."] + report.comments
        return ImportedSchema(name: name, text: SketchWriter.text(sketch), report: report, history: history.yaml)
    }

    private func read(_ version: CoreDataBundle.Version) throws(ImportFailure) -> Version {
        let (sketch, report) = try CoreDataImport.sketch(version, name: name)
        let reading = readSchemas([SchemaSource(path: version.path, bytes: Array(SketchWriter.text(sketch).utf8))])
        guard let schema = reading.schemas.first else {
            let message = reading.diagnostics.first { $0.severity == .error }?.message ?? ""
            throw ImportFailure(version.path, "The schema made of it would be invalid: \(message).")
        }
        return Version(
            name: version.name, path: version.path, sketch: sketch, report: report,
            tree: SchemaTree(schema.structure))
    }

    // MARK: The history

    private func history(of versions: [Version], _ report: inout ImportReport) throws(ImportFailure) -> SchemaHistory {
        var history: SchemaHistory?
        var former: SchemaTree?
        for (index, version) in versions.enumerated() {
            defer { former = version.tree }
            guard let earlier = former, var recorded = history else {
                history = SchemaHistory(
                    beginningWith: version.tree, version: index + 1, name: version.name,
                    isReleased: index < versions.count - 1)
                continue
            }
            do {
                let changes = try changes(from: earlier, to: version, &report)
                recorded.append(changes, resultingIn: version.tree, name: version.name)
                if index < versions.count - 1 { recorded.versions[recorded.versions.count - 1].isReleased = true }
                history = recorded
            } catch {
                report.add(
                    .init(
                        kind: .left, place: nil,
                        text: "The versions before \(version.name): \(error.reason)",
                        help: "The history begins with \(version.name)."))
                history = SchemaHistory(
                    beginningWith: version.tree, version: index + 1, name: version.name,
                    isReleased: index < versions.count - 1)
            }
        }
        guard let history else { throw ImportFailure(source, "It has no version.") }
        return history
    }

    private struct Unanswered: Error { let reason: String }

    /// The changes, with an answer to each that could fail on some records.
    private func changes(
        from former: SchemaTree, to version: Version, _ report: inout ImportReport
    ) throws(Unanswered) -> [SchemaChange] {
        var hints = ReviewHints()
        hints.renames = renames(in: version, from: former)
        do {
            var review = try ChangeReview(from: former, to: version.tree, hints: hints)
            while review.problems.isEmpty,
                let open = review.findings.first(where: { $0.level == .error && !$0.answers.isEmpty }),
                // What Core Data does not call renamed is something else.
                let answer = open.code == .possibleRename ? open.answers.last : open.answers.first
            {
                report.add(
                    .init(
                        kind: .decided, place: nil, text: "\(version.name): \(open.message): \(answer.flags)", help: nil
                    ))
                let before = hints
                hints.follow(answer.flags)
                if hints == before { break }
                review = try ChangeReview(from: former, to: version.tree, hints: hints)
            }
            guard review.isComplete else {
                let reason = review.problems.first?.reason ?? review.findings.first { $0.level == .error }?.message
                throw Unanswered(reason: reason ?? "")
            }
            return review.changes
        } catch let error as Unanswered {
            throw error
        } catch {
            throw Unanswered(reason: "\(error)")
        }
    }

    private func renames(in version: Version, from former: SchemaTree) -> [MemberPath: String] {
        var types: [String: String] = [:]
        for renaming in version.report.renamings where renaming.member == nil {
            guard former.entities[renaming.former] != nil, former.entities[renaming.entity] == nil else { continue }
            types[renaming.entity] = renaming.former
        }
        var renames = Dictionary(uniqueKeysWithValues: types.map { (MemberPath($1), $0) })
        for renaming in version.report.renamings {
            guard let member = renaming.member else { continue }
            let type = types[renaming.entity] ?? renaming.entity
            let members = former.entities[type]?.members
            guard members?[renaming.former] != nil, members?[member] == nil,
                version.tree.entities[renaming.entity]?.members[member] != nil
            else { continue }
            renames[MemberPath(type, renaming.former)] = member
        }
        return renames
    }
}
