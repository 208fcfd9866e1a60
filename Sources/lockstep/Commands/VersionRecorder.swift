import ArgumentParser
import LockstepEvolution
import LockstepGenerator
import LockstepReview
import LockstepSchema

/// Records versions of one schema.
struct VersionRecorder {
    let path: String
    /// Of the new version.
    let name: String?
    let hints: ReviewHints
    let first: FirstVersion
    /// The arguments of the command, for messages.
    let given: [String]

    // MARK: Recording

    /// Begins the history, or adds a version to it.
    func record() throws {
        let source = try SchemaFiles.versionedSource(at: path)
        let schema = try input.read(source)
        guard let history = schema.history else { return try begin(schema, from: source) }
        guard !first.isGiven else {
            throw UsageFailure(
                message: """
                    '\(historyPath)' exists, and begins with version \(history.first.number). Leave out --from and --store.
                    """
            )
        }
        guard schema.isDraft else { return reportUnchanged(schema, history: history) }
        guard name != nil else { throw Self.nameIsMissing }
        try checkVersion(of: schema, head: history.head.number)
        try append(to: history, in: schema, from: source, name: name)
    }

    private func begin(_ schema: VersionedSchema, from source: VersionedSource) throws {
        let released = try first.released(schema, from: source, command: command)
        guard StructureHash(released.tree) == StructureHash(schema.schema.structure) else {
            return try begin(with: released, in: schema, from: source)
        }
        guard hints == ReviewHints() else {
            throw UsageFailure(
                message: """
                    There are no changes that hints could be about. Begin the history without them, or name what was \
                    released with --from.
                    """)
        }
        // A file of a higher version would be one of a later app.
        let version = max(released.number, schema.schema.version)
        let history = SchemaHistory(
            beginningWith: SchemaTree(schema.schema.structure), version: version, name: name)
        try write(history, in: schema, from: source) {
            Console.report("\(schema.schema.name) \(version), the first version")
        }
    }

    /// Records what was released as the first version, and the changes since as the second.
    private func begin(
        with released: FirstVersion.Released, in schema: VersionedSchema, from source: VersionedSource
    ) throws {
        guard name != nil else { throw Self.nameIsMissing }
        try checkVersion(of: schema, head: released.number)
        let history = SchemaHistory(beginningWith: released.tree, version: released.number, isReleased: true)
        try append(to: history, in: schema, from: source, name: name)
        let label = released.label.map { ", is that of '\($0)'" } ?? ""
        Console.report("\(schema.schema.name) \(released.number), the first version\(label).")
    }

    private func reportUnchanged(_ schema: VersionedSchema, history: SchemaHistory) {
        Console.report("\(schema.schema.name) \(history.head.number): nothing has changed. Nothing was written.")
    }

    /// Somebody may have raised the version already, but not further.
    private func checkVersion(of schema: VersionedSchema, head: Int) throws {
        guard (head...head + 1).contains(schema.schema.version) else {
            throw UsageFailure(
                message: """
                    The version in '\(path)' is \(schema.schema.version), but the last one of the history is \(head) \
                    [history-behind]. Restore the history, or write 'version: \(head)'.
                    """)
        }
    }

    /// Adds the changes since the last version, unless something must be said about them.
    ///
    /// - Parameter recorded: Hints that were recorded before; those that do not fit are left out.
    private func append(
        to history: SchemaHistory, in schema: VersionedSchema, from source: VersionedSource, name: String?,
        recorded: ReviewHints = ReviewHints()
    ) throws {
        let former = try structure(of: history)
        var fitting = recorded
        while true {
            let less = fitting.without(try review(schema, from: former, hints: fitting).problems)
            if less == fitting { break }
            fitting = less
        }
        let review = try review(schema, from: former, hints: fitting.merging(hints))
        let report = VersionReport(schema: schema, review: review)
        try report.refuseProblems()
        let shown = review.isComplete ? review.findings : review.findings.filter { $0.level != .note }
        DiagnosticFormat.text.report(schema.diagnostics(of: shown, command: command), of: source.all)
        guard review.isComplete else {
            Console.report("Nothing was written.")
            throw Exit.findings
        }
        var history = history
        let head = history.head.number
        history.append(review.changes, resultingIn: SchemaTree(schema.schema.structure), name: name)
        let conversions = try conversionsOfHead(history)
        try write(history, in: schema, from: source) {
            Console.report("\(schema.schema.name) \(head) → \(history.head.number)\(name.map { " (\($0))" } ?? "")")
            Console.report(report.changes)
        }
        for conversion in conversions {
            let type = NamedConversion.typeName(schema: schema.schema.name)
            Console.report("Write \(type).\(conversion.function): the schema's Swift needs it.")
        }
        let renamed = schema.recordedRenames(in: review.changes)
        if !renamed.isEmpty {
            Console.report("'renamedFrom:' is recorded, and can be removed: \(renamed.joined(separator: ", ")).")
        }
    }

    /// The conversions in Swift of the last version. They are found by the names of their version and entity.
    ///
    /// - Throws: ``UsageFailure`` if an earlier version has one of the same names.
    private func conversionsOfHead(_ history: SchemaHistory) throws -> [NamedConversion] {
        var all = NamedConversion.all(in: history)
        let first = all.partition { $0.recorded.version == history.head.number }
        for same in all[..<first] where all[first...].contains(where: { $0.oldType == same.oldType }) {
            throw UsageFailure(
                message: """
                    Version \(same.recorded.version) has a conversion '\(same.recorded.versionName ?? "")' of \
                    '\(same.recorded.formerEntity)' already. Choose another --name.
                    """)
        }
        return Array(all[first...])
    }

    /// Writes both files, and reports that.
    private func write(
        _ history: SchemaHistory, in schema: VersionedSchema, from source: VersionedSource, report: () -> Void
    ) throws {
        let version = history.head.number
        var changed: [UInt8]?
        if schema.schema.version != version {
            changed = VersionText.bytes(of: source.schema, locations: schema.locations, version: version)
            if changed == nil {
                throw UsageFailure(
                    message: "'version:' cannot be raised in '\(path)'. Write 'version: \(version)' after 'schema:',"
                        + " and run the command again.")
            }
        }
        try files.write(history, schema: source.schema, changed: changed)
        report()
        Console.report(files.summary(version: version, isRaised: changed != nil))
    }

    // MARK: Other versions

    /// Records the last version again.
    func amend() throws {
        let (schema, source, history) = try readWithHistory()
        let head = history.head
        guard !head.isReleased else {
            throw UsageFailure(
                message: """
                    Version \(head.number) is released, and never changes. Record another version: lockstep migrate \
                    --name NAME
                    """)
        }
        let name = name ?? head.name
        if let former = history.withoutHead {
            return try append(
                to: former, in: schema, from: source, name: name, recorded: ReviewHints(recordedIn: head.changes))
        }
        let tree = SchemaTree(schema.schema.structure)
        try write(SchemaHistory(beginningWith: tree, version: head.number, name: name), in: schema, from: source) {
            Console.report("\(schema.schema.name) \(head.number), the first version")
        }
    }

    /// Marks every version as released.
    func release() throws {
        let (schema, source, history) = try readWithHistory()
        guard !schema.isDraft else {
            throw UsageFailure(
                message:
                    "'\(path)' has changes that no version records. Record them first: lockstep migrate --name NAME")
        }
        try files.write(history.released, schema: source.schema, changed: nil)
        let count = history.versions.count { !$0.isReleased }
        Console.report("\(schema.schema.name) \(history.head.number): \(count) released.")
    }

    /// Forgets the versions before one.
    func squash(_ number: Int) throws {
        let (schema, source, history) = try readWithHistory()
        guard history.versions.contains(where: { $0.number == number }) else {
            throw UsageFailure(
                message: """
                    There is no version \(number) [too-old]. The history has \(history.first.number) to \
                    \(history.head.number). Stores of the versions before the named one cannot be opened any more, so it \
                    must be the oldest that users may still have.
                    """)
        }
        let forgotten = history.versions.filter { $0.number < number }
        guard let squashed = try? history.beginning(with: number) else { return }
        try files.write(squashed, schema: source.schema, changed: nil)
        let released = forgotten.filter(\.isReleased).map { String($0.number) }
        if !released.isEmpty {
            let list = released.joined(separator: ", ")
            Console.report("warning: Stores of the released versions \(list) cannot be opened any more [too-old]")
        }
        Console.report("\(schema.schema.name): the history begins with version \(number).")
    }

    // MARK: Merges

    /// Continues another history with the changes of this branch.
    func rebase(onto file: String?) throws {
        let source = try SchemaFiles.source(at: path)
        let schema = try input.read(VersionedSource(schema: source))
        let other = try theirs(file)
        let ours = try ours()
        let versions = ours?.versions(after: other) ?? []
        if versions.contains(where: \.isReleased), let ours, other.versions(after: ours).contains(where: \.isReleased) {
            throw UsageFailure(
                message: """
                    Both branches have released other versions after the one that they have in common [history-forked]. \
                    Stores of both exist, which no history can open.
                    """)
        }
        var merged = schema
        merged.history = other
        guard merged.isDraft else {
            return try write(other, in: merged, from: VersionedSource(schema: source)) {
                Console.report("\(schema.schema.name) \(other.head.number): the other history has all changes.")
            }
        }
        try append(
            to: other, in: merged, from: VersionedSource(schema: source), name: name ?? versions.last?.name,
            recorded: ReviewHints(recordedIn: versions.flatMap(\.changes)))
    }

    private func theirs(_ file: String?) throws -> SchemaHistory {
        if let file { return try history(try SchemaFiles.source(at: file)) }
        guard let source = try? GitFile(path: historyPath).source(at: ":3") else {
            throw UsageFailure(
                message: "Git is not merging '\(historyPath)'. Name the other branch's history with --onto FILE.")
        }
        return try history(source)
    }

    /// The history of this branch; `nil` if it cannot be read.
    private func ours() throws -> SchemaHistory? {
        if let source = try? GitFile(path: historyPath).source(at: ":2") { return try history(source) }
        var diagnostics: [Diagnostic] = []
        guard let source = try SchemaFiles.versionedSource(at: path).history else { return nil }
        return readHistory(source, diagnostics: &diagnostics)
    }

    private func history(_ source: SchemaSource) throws -> SchemaHistory {
        var diagnostics: [Diagnostic] = []
        guard let history = readHistory(source, diagnostics: &diagnostics) else {
            DiagnosticFormat.text.report(diagnostics, of: [source])
            throw Exit.findings
        }
        return history
    }

    // MARK: Files

    private static let nameIsMissing = UsageFailure(
        message: "The version needs a name. Add --name, such as --name add-place.")

    private var command: String { (["lockstep", "migrate"] + given.map(shellQuoted)).joined(separator: " ") }

    private var historyPath: String { HistoryFile.path(besideSchema: path) }

    private var files: VersionFiles { VersionFiles(besideSchema: path) }

    private var input: SchemaArgument { SchemaArgument() }

    private func readWithHistory() throws -> (VersionedSchema, VersionedSource, SchemaHistory) {
        let source = try SchemaFiles.versionedSource(at: path)
        let schema = try input.read(source)
        guard let history = schema.history else {
            throw UsageFailure(message: "There is no '\(historyPath)'. Begin it: lockstep migrate")
        }
        return (schema, source, history)
    }

    private func structure(of history: SchemaHistory) throws -> SchemaTree {
        do {
            return try history.verified()
        } catch {
            throw UsageFailure(message: "The history cannot be replayed: \(error)")
        }
    }

    private func review(_ schema: VersionedSchema, from former: SchemaTree, hints: ReviewHints) throws -> ChangeReview {
        do {
            return try schema.review(from: former, hints: hints)
        } catch {
            throw UsageFailure(message: "The schema cannot be compared with its history: \(error)")
        }
    }
}
