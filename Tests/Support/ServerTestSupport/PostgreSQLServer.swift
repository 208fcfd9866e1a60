import Foundation
import LockstepGenerator
package import LockstepSchema
import LockstepSystem

/// A PostgreSQL server for the tests, in a temporary folder, reached through a socket in it. One is started for all, and
/// others for tests that kill it. They are stopped when the process of the tests ends.
///
/// If no PostgreSQL is installed, the suites that need it report that and are skipped; with `CI=true`, they fail.
package final class PostgreSQLServer: Sendable {
    /// `nil` if no PostgreSQL is installed.
    package static let shared: Result<PostgreSQLServer, any Error>? = {
        guard let binaries = findBinaries() else {
            print("PostgreSQL is not installed: the tests that execute SQL in it are skipped.")
            return nil
        }
        return Result { try start(binaries) }
    }()

    /// Whether the suites run: also without a server if one is required, so that they fail.
    package static var isWanted: Bool {
        shared != nil || ProcessInfo.processInfo.environment["CI"] == "true"
    }

    private let binaries: String
    /// Everything that it has, with the socket.
    package let folder: String

    private init(binaries: String, folder: String) {
        self.binaries = binaries
        self.folder = folder
    }

    /// Executes a script in its own namespace; the first error ends it.
    /// - Returns: The rows of its queries, a line each, values joined by `|`.
    /// - Throws: `CommandFailure` with the output of `psql`.
    package func run(_ script: String) throws -> [String] {
        let namespace = "lockstep_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        let opening = "CREATE SCHEMA \(namespace); SET search_path = \(namespace);\n"
        let output = try runCommand(
            binaries + "/psql",
            ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "lockstep", "-d", "postgres"],
            input: opening + script
        )
        return output.split(separator: "\n").map(String.init)
    }

    /// A connection of the owner, as programs take it.
    func connection(to namespace: String) -> String {
        "host=\(folder) user=lockstep dbname=postgres options='-c search_path=\(namespace)'"
    }

    /// Opens a session that stays open.
    package func session(opening: String) throws -> PostgreSQLSession {
        let arguments = ["-X", "-q", "-A", "-t", "-h", folder, "-U", "lockstep", "-d", "postgres"]
        return try PostgreSQLSession((binaries + "/psql", arguments), opening: opening)
    }

    /// Creates a schema's tables and executes a script on them.
    package func run(_ schema: Schema, _ script: String) throws -> [String] {
        let statements = sqlStatements(for: schema, dialect: .postgresql).map { $0 + ";\n" }.joined()
        return try run(statements + script)
    }

    /// The shared server.
    ///
    /// - Throws: `CommandFailure` if it is missing or did not start.
    package static func require() throws -> PostgreSQLServer {
        guard let shared else { throw missing }
        return try shared.get()
    }

    /// Another server, which nobody else uses.
    ///
    /// - Throws: `CommandFailure` if it is missing or did not start.
    package static func own() throws -> PostgreSQLServer {
        guard let binaries = findBinaries() else { throw missing }
        return try start(binaries)
    }

    /// A server that another process has started, and stops.
    ///
    /// - Throws: `CommandFailure` if PostgreSQL is missing.
    package convenience init(startedIn folder: String) throws {
        guard let binaries = Self.findBinaries() else { throw Self.missing }
        self.init(binaries: binaries, folder: folder)
    }

    /// Ends it like a crash: its processes end immediately, while they execute statements, and write nothing.
    package func crash() throws { try Self.crash(binaries, in: folder) }

    /// Starts it again after a crash.
    package func restart() throws { try Self.launch(binaries, in: folder) }

    private static var missing: CommandFailure {
        CommandFailure(command: "PostgreSQL", output: "is not installed. Run: Scripts/setup --postgresql")
    }
}

extension PostgreSQLServer {
    private static func start(_ binaries: String) throws -> PostgreSQLServer {
        let folder = try makeFolder()
        stopAtExit(binaries: binaries, folder: folder)
        try runAsServer(
            binaries + "/initdb",
            ["-D", folder + "/data", "-U", "lockstep", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        )
        try launch(binaries, in: folder)
        let server = PostgreSQLServer(binaries: binaries, folder: folder)
        // Roles belong to all databases, and tests run at the same time.
        _ = try server.run("CREATE ROLE authenticated NOLOGIN; CREATE ROLE anon NOLOGIN;")
        return server
    }

    private static func launch(_ binaries: String, in folder: String) throws {
        // No TCP port, so no conflict with another server; without protection against power failures, but fast.
        let options =
            "-c listen_addresses= -c unix_socket_directories=\(folder) -c fsync=off "
            + "-c deadlock_timeout=20ms -c max_connections=300 -c timezone=UTC "
            + "-c unix_socket_permissions=0700"
        try runAsServer(
            binaries + "/pg_ctl", ["-D", folder + "/data", "-w", "-l", folder + "/log", "-o", options, "start"]
        )
    }

    private static func crash(_ binaries: String, in folder: String) throws {
        try runAsServer(binaries + "/pg_ctl", ["-D", folder + "/data", "-m", "immediate", "stop"])
    }

    /// A short path: the path of a socket is limited to about 100 bytes.
    private static func makeFolder() throws -> String {
        let number = UUID().uuidString.prefix(8)
        let folder = "/tmp/lockstep-pg-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
        try? FileManager.default.removeItem(atPath: folder)
        // Its superuser needs no password, so no other user of the machine may reach the socket.
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        if geteuid() == 0 { try runCommand("/bin/chown", ["postgres", folder]) }
        return folder
    }

    /// PostgreSQL does not run as root, so root runs it as the user created by its package.
    @discardableResult
    private static func runAsServer(_ command: String, _ arguments: [String]) throws -> String {
        guard geteuid() == 0 else { return try runCommand(command, arguments) }
        return try runCommand("/usr/bin/env", ["runuser", "-u", "postgres", "--", command] + arguments)
    }

    private static func findBinaries() -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let versions = folders(in: "/usr/lib/postgresql").map { $0 + "/bin" }
        let brewed = ["/opt/homebrew", "/usr/local"].flatMap { brew in
            folders(in: brew + "/opt").filter { $0.contains("/postgresql") }.map { $0 + "/bin" }
        }
        let candidates = versions + path.split(separator: ":").map(String.init) + brewed
        return candidates.first { folder in
            ["initdb", "pg_ctl", "psql"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
        }
    }

    /// The folders in a folder, those that sort last (the newest version) first.
    private static func folders(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map { folder + "/" + $0 }
    }

    /// A server is a process of its own and would outlive the tests.
    private static func stopAtExit(binaries: String, folder: String) {
        let isFirst = serversToStop.withLock { servers in
            servers.append((binaries, folder))
            return servers.count == 1
        }
        guard isFirst else { return }
        atexit {
            for (binaries, folder) in PostgreSQLServer.serversToStop.withLock({ $0 }) {
                try? PostgreSQLServer.crash(binaries, in: folder)
                // Other threads go on, and a removal fails if they create a file meanwhile.
                for _ in 1...100 where FileManager.default.fileExists(atPath: folder) {
                    try? FileManager.default.removeItem(atPath: folder)
                }
            }
        }
    }

    private static let serversToStop = Locked<[(binaries: String, folder: String)]>([])
}
