import ArgumentParser
import LockstepEvolution
import LockstepGenerator
import LockstepSchema

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Records the changes of a schema as a version, in the history beside it.",
        discussion: """
            The first run begins the history with the schema, if Git never had another one. Otherwise, --from or \
            --store says what was released: that is the first version, and the changes since are the second. Each later \
            run adds a version, and raises 'version:' in the schema. What could lose data, or fail on some records, is \
            reported and not recorded until an option says what happens. Nothing is asked, and both files are written, \
            or none.

            EXAMPLE
              lockstep migrate --name first
              lockstep migrate --name add-place
              lockstep migrate --name text --rename Entry.bodyText=text
              lockstep migrate --name price --convert Product.price=number --otherwise 0
              lockstep migrate --release         # no version changes any more
            """
    )

    @OptionGroup var input: SchemaArgument

    @Option(help: "The name of the version, for readers: add-place.")
    var name: String?

    @OptionGroup(title: "Hints") var hints: HintOptions

    @Option(
        help: ArgumentHelp(
            "Begin the history with what was released: a schema, or a revision of Git.", valueName: "file|revision"),
        completion: .file())
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Begin the history with the schema of a store's file that the released app has made.", valueName: "file"),
        completion: .file())
    var store: String?

    @Flag(help: "Record the last version again, if it is not released, with the hints that it had.")
    var amend = false

    @Flag(help: "After a merge: continue the other branch's history with the changes of this one.")
    var rebase = false

    @Option(
        help: ArgumentHelp("With --rebase, the other branch's history, if Git is not merging.", valueName: "file"),
        completion: .file())
    var onto: String?

    @Option(
        help: ArgumentHelp("Begin the history with this version, and forget those before it.", valueName: "version"))
    var squash: Int?

    @Flag(help: "Mark every version as released: it never changes again.")
    var release = false

    @Option(
        help: """
            Also write the files that change a server's tables to the last version, beside the schema: postgresql.
            """)
    var sql = DialectList(dialects: [])

    func validate() throws {
        let modes = [amend, rebase, squash != nil, release].count { $0 }
        if modes > 1 { throw ValidationError("--amend, --rebase, --squash and --release cannot be combined.") }
        if from != nil, store != nil { throw ValidationError("--from and --store cannot be combined.") }
        if modes > 0, from != nil || store != nil {
            throw ValidationError("--from and --store begin a history, and are not used with the others.")
        }
        if onto != nil, !rebase { throw ValidationError("--onto is used with --rebase.") }
        if release || squash != nil, name != nil || !hints.arguments.isEmpty {
            throw ValidationError("--release and --squash record no changes: leave out --name and the hints.")
        }
        if sql.dialects.contains(.sqlite) { throw ValidationError("A store runs its own SQL: use --sql postgresql.") }
        if let name, name.isEmpty || name.hasHidden {
            throw ValidationError("--name must be one line of text, without control characters.")
        }
    }

    func run() throws {
        let path = try input.path()
        let recorder = VersionRecorder(
            path: path, name: name, hints: try hints.hints(), first: first,
            given: (input.schema.map { [$0] } ?? []) + given)
        try run(recorder)
        guard sql.dialects.contains(.postgresql) else { return }
        let reading = readVersions([try SchemaFiles.versionedSource(at: path)], checking: .history)
        guard let schema = reading.schemas.first, let migration = try MigrationSQL(lastOf: schema) else {
            return Console.report("There is one version: 'lockstep generate --sql postgresql' writes its tables.")
        }
        try migration.writePostgreSQL(besideSchema: path)
    }

    private func run(_ recorder: VersionRecorder) throws {
        if rebase { return try recorder.rebase(onto: onto) }
        if amend { return try recorder.amend() }
        if release { return try recorder.release() }
        if let squash { return try recorder.squash(squash) }
        try recorder.record()
    }

    private var first: FirstVersion { FirstVersion(from: from, store: store) }

    /// The options as they were given, for commands in messages.
    private var given: [String] {
        var arguments = amend ? ["--amend"] : rebase ? ["--rebase"] : []
        if let onto { arguments += ["--onto", onto] }
        arguments += first.arguments
        if let name { arguments += ["--name", name] } else if !amend, !rebase { arguments += ["--name", "NAME"] }
        return arguments + hints.arguments
    }
}
