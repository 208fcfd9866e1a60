import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepSchema

/// The first version of a history: the released schema, not the edited one. If it began with the edited one, the app
/// could not open its users' files.
struct FirstVersion {
    /// A schema, or a revision of Git that has it.
    var from: String?
    /// The file of a store that was made by the released app.
    var store: String?

    /// The released schema.
    struct Released {
        let tree: SchemaTree
        let number: Int
        /// Where it was found; `nil` for the schema itself.
        let label: String?
    }

    var isGiven: Bool { from != nil || store != nil }

    /// The arguments of the command that say it.
    var arguments: [String] { (from.map { ["--from", $0] } ?? []) + (store.map { ["--store", $0] } ?? []) }

    /// Finds out what was released.
    ///
    /// - Parameter command: The command without these options, for messages.
    /// - Throws: `ExitCode` 1 if that is not known, ``UsageFailure`` if a file cannot be read.
    func released(_ schema: VersionedSchema, from source: VersionedSource, command: String) throws -> Released {
        let released: Released
        if let store {
            released = try version(ofStore: store)
        } else if let from {
            released = try version(of: from, in: schema)
        } else {
            let path = source.schema.path
            guard let doubt = try doubt(about: schema, in: source.schema) else {
                return Released(tree: SchemaTree(schema.schema.structure), number: schema.schema.version, label: nil)
            }
            var commands = [
                ("If another one was", "\(command) --from FILE|REVISION"),
                ("If you have a file of the app", "\(command) --store FILE"),
                ("If no other was released", "\(command) --from \(shellQuoted(path))"),
            ]
            if let commit = doubt.commit {
                commands.insert(("If that one was released", "\(command) --from \(commit)"), at: 0)
            }
            let diagnostic = Diagnostic.firstVersionIsUnknown(
                schema.schema.name, because: doubt.reason, commands: commands, at: schema.locations.name)
            DiagnosticFormat.text.report([diagnostic], of: source.all)
            Console.report("Nothing was written.")
            throw Exit.findings
        }
        guard released.tree.name == schema.schema.name else {
            throw UsageFailure(
                message: """
                    '\(released.label ?? "")' has the schema '\(released.tree.name)', not '\(schema.schema.name)'. Another \
                    name is another store: it begins its own history.
                    """)
        }
        return released
    }

    // MARK: Files

    private func version(of from: String, in schema: VersionedSchema) throws -> Released {
        let path = schema.schema.source
        let isFile = FileManager.default.fileExists(atPath: from)
        guard let source = isFile ? try SchemaFiles.source(at: from) : try GitFile.read(path, at: from) else {
            throw UsageFailure(
                message: """
                    There is no file '\(from)', and no revision of that name that has '\(path)'. Check the path, or fetch \
                    the branch.
                    """)
        }
        guard !HistoryFile.isHistory(source.path) else {
            throw UsageFailure(
                message: "'\(from)' is a history. To continue it, run 'lockstep migrate --rebase --onto \(from)'.")
        }
        let reading = readSchemas([source])
        guard let released = reading.schemas.first else {
            DiagnosticFormat.text.report(reading.diagnostics.filter { $0.severity == .error }, of: [source])
            throw Exit.findings
        }
        return Released(tree: SchemaTree(released.structure), number: released.version, label: from)
    }

    private func version(ofStore path: String) throws -> Released {
        #if Inspect
            let version = try Inspection.version(ofFile: path)
            return Released(tree: version.tree, number: version.number, label: path)
        #else
            throw UsageFailure.missing("inspector", trait: "Inspect", command: "migrate --store")
        #endif
    }

    // MARK: Git

    /// Why another schema may have been released.
    private struct Doubt {
        let reason: String
        /// The last commit that has another schema.
        var commit: String?
    }

    /// Compares the schema with each state of it that Git has; `nil` if it never was another one.
    private func doubt(about schema: VersionedSchema, in source: SchemaSource) throws -> Doubt? {
        let path = source.path
        let history = HistoryFile.path(besideSchema: path)
        do {
            if try GitFile(path: history).source(at: "HEAD") != nil {
                let command = "git checkout HEAD -- \(shellQuoted(history))"
                throw UsageFailure(message: "Git has '\(history)'. Restore it: \(command)")
            }
            let file = GitFile(path: path)
            var included = Set(source.included.map(\.name))
            var commits = try file.commits(including: included)
            if commits.isEmpty { return Doubt(reason: "it is not in Git") }
            var seen: Set<String> = []
            while let commit = commits.first(where: { seen.insert($0).inserted }) {
                // It was deleted in this commit, and written again later.
                guard let source = try file.source(at: commit) else { continue }
                // A file that was included then has commits of its own.
                let others = Set(source.included.map(\.name)).subtracting(included)
                if !others.isEmpty {
                    included.formUnion(others)
                    commits = try file.commits(including: included)
                }
                let former = readSchemas([source]).schemas.first
                if former.map({ StructureHash($0.structure) }) == StructureHash(schema.schema.structure) { continue }
                return Doubt(reason: "in Git it was another schema, last in commit \(commit)", commit: commit)
            }
            return try file.isShallow() ? Doubt(reason: "this clone has only a part of Git's history") : nil
        } catch is ChildProcess.Missing {
            return Doubt(reason: "Git is not installed")
        }
    }
}
