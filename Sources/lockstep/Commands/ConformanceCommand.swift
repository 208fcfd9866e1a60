import ArgumentParser
import Foundation
import LockstepGenerator

#if Inspect
    import HTTPTypes
    import LockstepConformance
    import LockstepHTTP
    import LockstepSchema
#endif

struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Asks a server whether it loses, repeats or shows what it must not.",
        discussion: """
            The command creates records, changes them, and deletes them at the end. It needs the token of a user in the \
            environment variable LOCKSTEP_TOKEN, and that of another user in LOCKSTEP_OTHER_TOKEN. With a connection to \
            the PostgreSQL database, late commits are exact instead of by chance. It exits with 1 if a case failed, and \
            with 2 if the server could not be asked.

            EXAMPLE
              lockstep conformance https://abcd.supabase.co/rest/v1 --database service=db
              lockstep conformance https://example.com/api --dialect rest --since since
            """
    )

    enum Dialect: String, ExpressibleByArgument, CaseIterable {
        case feed, rest, postgrest
    }

    @Argument(help: ArgumentHelp("The address that paths are appended to.", valueName: "url"))
    var url: String

    @OptionGroup var input: SchemaArgument

    @Option(help: "How the server is asked: feed (lockstep_changes, lockstep_push), rest (as Rails), or postgrest.")
    var dialect: Dialect = .feed

    @Option(help: "The entity whose records are created. The default is the first one that is fit.")
    var entity: String?

    @Option(
        help: ArgumentHelp("The identity of the user, if the token does not name it.", valueName: "identity"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The database of the server, for psql: a name, a URL, or service=NAME.", valueName: "connection"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "The parameter with the time since which changes are listed; for rest and postgrest.", valueName: "name"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            "The member with the time of a record's last change. The default is the Date of the response.",
            valueName: "name"))
    var changedAt: String?

    @Option(help: ArgumentHelp("The member that marks deleted records in lists of changes.", valueName: "name"))
    var deletedBy: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if dialect == .feed, since != nil { throw ValidationError("--since is for --dialect rest and postgrest.") }
        if since == nil, changedAt != nil || deletedBy != nil {
            throw ValidationError("--changed-at and --deleted-by need --since.")
        }
        guard let url = URL(string: url), url.scheme != nil, url.host != nil else {
            throw ValidationError("'\(url)' is not an address. Write one such as https://example.com/api.")
        }
    }

    func run() throws {
        #if Inspect
            let secrets = Secrets(Self.secretVariables.compactMap(Self.variable))
            let run = try conformanceRun()
            let report: ConformanceReport
            do {
                report = try AwaitedWork.result {
                    try await run.report(
                        begin: { Console.report("Deleting the records that were created: \($0)") },
                        leave: { Self.reportRemaining($0.map(secrets.hidden)) })
                }.hiding(secrets)
            } catch is CancellationError {
                throw UsageFailure(message: "The server was not asked to the end.")
            } catch let failure as ConformanceFailure {
                throw UsageFailure(message: "\(secrets.hidden(in: "\(failure)"))")
            } catch let error as SyncError {
                throw UsageFailure(message: "\(secrets.hidden(in: "\(error)"))")
            }
            let text = json ? TerminalText(json: String(decoding: try report.json(), as: UTF8.self)) : report.text
            Console.print(text)
            if !report.grades.isEmpty { throw Exit.findings }
            if report.isInterrupted { throw Exit.wrongUse }
        #else
            throw UsageFailure.missing("conformance cases", trait: "Inspect", command: "conformance")
        #endif
    }

    #if Inspect
        private func conformanceRun() throws -> ConformanceRun {
            let schema = try input.read(try SchemaFiles.versionedSource(at: try input.path())).schema
            guard let token = Self.variable("LOCKSTEP_TOKEN") else {
                throw UsageFailure(
                    message: "LOCKSTEP_TOKEN is not set. Set this environment variable to the token of a user.")
            }
            let otherToken = Self.variable("LOCKSTEP_OTHER_TOKEN")
            if token == otherToken {
                throw UsageFailure(
                    message: """
                        LOCKSTEP_TOKEN and LOCKSTEP_OTHER_TOKEN are the same token. Set the second one to that of \
                        another user, or not at all.
                        """)
            }
            let identity = user ?? UserClaim.identity(in: token, claim: schema.server?.userClaim ?? "sub")
            do {
                return try ConformanceRun(
                    schema.structure, entity: entity, dialect: asked, address: Redaction.text(of: url),
                    owner: serverUser(token), identity: identity,
                    other: otherToken.map(serverUser), database: database)
            } catch {
                throw UsageFailure(message: "\(error)")
            }
        }

        private static let secretVariables = ["LOCKSTEP_TOKEN", "LOCKSTEP_OTHER_TOKEN", "LOCKSTEP_API_KEY"]

        /// - Returns: `nil` for a variable that is not set, or empty.
        private static func variable(_ name: String) -> String? {
            ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }

        private var asked: ConformanceDialect {
            let changes = since.map {
                ConformanceDialect.Changes(parameter: $0, attribute: changedAt, deletionMark: deletedBy)
            }
            return switch dialect {
            case .feed: .feed
            case .rest: .rest(changes)
            case .postgrest: .postgREST(changes)
            }
        }

        private func serverUser(_ token: String) -> ServerUser {
            var headers: HTTPFields = [:]
            if let name = HTTPField.Name("apikey") {
                headers[name] = Self.variable("LOCKSTEP_API_KEY")
            }
            let client = AuthorizedClient(URLSessionClient(), token: { _ in token })
            return asked.user(at: URL(string: url)!, client: client, headers: headers)
        }

        @Sendable private static func reportRemaining(_ records: [String]) {
            guard !records.isEmpty else { return }
            Console.report("Delete these records, which could not be deleted: \(records.joined(separator: ", "))")
        }
    #endif
}
