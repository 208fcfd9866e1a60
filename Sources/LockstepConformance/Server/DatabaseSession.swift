import Foundation
import LockstepEvolution
import LockstepRemotes

/// A PostgreSQL session that stays open: a `psql` process that reads statements from its standard input.
///
/// `@unchecked`: one task uses it at a time, and waits for each statement.
final class DatabaseSession: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()
    private var count = 0

    /// Connects to a database.
    ///
    /// - Parameters:
    ///   - connection: What `psql` accepts as a database: a name, a URL, or `service=NAME`. It is one argument of the
    ///     process, and no shell reads it.
    ///   - path: The folders in which `psql` is looked for, with colons between them.
    init(
        _ connection: String, path: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
    ) throws(ConformanceFailure) {
        let programs = path.split(separator: ":").map { "\($0)/psql" }
        guard let program = programs.first(where: FileManager.default.isExecutableFile) else {
            throw ConformanceFailure(
                "psql was not found", remedy: "Install PostgreSQL's client, and add its folder to PATH.")
        }
        process.executableURL = URL(fileURLWithPath: program)
        // No configuration file, and no password prompt.
        process.arguments = ["-X", "-q", "-A", "-t", "-w", "--dbname=\(connection)"]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["PGCONNECT_TIMEOUT": Self.connectSeconds]) { own, _ in own }
        process.standardInput = input
        process.standardOutput = output
        // It can contain parts of the connection, such as the password.
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            throw ConformanceFailure("psql cannot be started: \(error)", remedy: "Install PostgreSQL's client.")
        }
        // Without this, a write to a process that has ended would end this process.
        signal(SIGPIPE, SIG_IGN)
        send(Self.limits)
    }

    private static let connectSeconds = "10"
    /// The database ends what waits for longer.
    private static let limits = "SET lock_timeout = '10s'; SET statement_timeout = '30s';"

    deinit { end() }

    /// Ends the session, and rolls back its transaction.
    func end() {
        try? input.fileHandleForWriting.close()
        stop()
    }

    /// Ends the process. It inherits a mask of signals from the thread that has started it, which can block others.
    private func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Executes a statement.
    ///
    /// - Returns: The rows, a line each.
    /// - Throws: ``ConformanceFailure`` with the message of the database, `CancellationError`.
    @discardableResult
    func rows(_ statement: String) async throws -> [String] {
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    DispatchQueue.global().async { [self] in
                        continuation.resume(with: Result { try rowsNow(statement) })
                    }
                }
            } onCancel: {
                stop()
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    /// Whether another session waits for a lock of this one.
    func blocksOthers() async throws -> Bool {
        try await rows(
            """
            SELECT count(*) > 0 FROM pg_locks l
            WHERE NOT l.granted AND pg_backend_pid() = ANY(pg_blocking_pids(l.pid))
            """) == ["t"]
    }

    private func rowsNow(_ statement: String) throws -> [String] {
        count += 1
        let mark = "lockstep-end-\(count) "
        send("\(statement)\n;\n\\echo '\(mark)':ERROR :SQLSTATE :LAST_ERROR_MESSAGE")
        var lines: [String] = []
        while true {
            guard let line = nextLine() else {
                throw ConformanceFailure(
                    "psql cannot connect to the database, or has lost the connection",
                    remedy: "Try the connection of --database with psql, whose message says why.")
            }
            guard line.hasPrefix(mark) else {
                lines.append(line)
                continue
            }
            let result = line.dropFirst(mark.count)
            if result.hasPrefix("false ") { return lines }
            throw ConformanceFailure(
                "the database does not do what is needed: \(result.drop { $0 != " " }.dropFirst())",
                remedy: "Pass a connection with --database whose user writes the tables, or none.")
        }
    }

    private func send(_ text: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8)) }

    private func nextLine() -> String? {
        let newline = UInt8(ascii: "\n")
        while true {
            if let end = unread.firstIndex(of: newline) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { return nil }
            unread.append(bytes)
        }
    }
}

extension SampleSubject {
    /// The statement that changes the text of a record, and returns a row for it.
    func updateSQL(of record: SampleRecord, text value: String) -> String {
        let plan = entity.plan
        let conditions = zip(plan.serverKeyColumns, record.identity?.values ?? []).map { column, value in
            "\(Self.quoted(plan.columns[column].name)) = \(Self.literal(value))"
        }
        return """
            UPDATE \(Self.quoted(plan.table))
            SET \(Self.quoted(plan.columns[text].name)) = \(Self.literal(.string(value)))
            WHERE \(conditions.joined(separator: " AND ")) RETURNING 1
            """
    }

    private static func quoted(_ name: String) -> String {
        var writer = SQLWriter(dialect: .postgresql)
        writer.identifier(name)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func literal(_ value: JSONValue) -> String {
        var writer = SQLWriter(dialect: .postgresql)
        if case .integer(let number) = value {
            writer.literal(.integer(number))
        } else {
            writer.literal(.text(RemoteIdentity([value]).text))
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
