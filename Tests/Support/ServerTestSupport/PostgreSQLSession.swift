import Foundation
import LockstepJSON
import TestSupport

/// A PostgreSQL session that stays open: a `psql` process. Statements are sent to it one after the other, and their
/// rows are read when they are needed, so a session can wait for another one. One task uses it at a time.
package final class PostgreSQLSession: @unchecked Sendable {
    private let process = Process()
    private let end: ProcessEnd
    private let input = Pipe()
    private let output = Pipe()
    private var buffer: [UInt8] = []
    /// The ends of what was sent and not read yet.
    private var marks: [String] = []
    private var count = 0

    /// The session has ended, because its process or the server has.
    package struct Ended: Error {}

    init(_ arguments: (command: String, arguments: [String]), opening: String) throws {
        end = ProcessEnd(of: process)
        process.executableURL = URL(fileURLWithPath: arguments.command)
        process.arguments = arguments.arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        // A write to a session that has ended is an error, and does not end the tests.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        _ = try rows(opening)
    }

    deinit {
        // If the program could not be started, there is no process, and 0 is the group of this one.
        guard process.processIdentifier > 0 else { return }
        // It may be waiting for a session that ends after it, and processes inherit that threads block other signals.
        kill(process.processIdentifier, SIGKILL)
        end.wait()
        // On Linux, a process that has ended is never freed, nor are its pipes.
        for pipe in [input, output] {
            try? pipe.fileHandleForReading.close()
            try? pipe.fileHandleForWriting.close()
        }
    }

    /// Sends statements without waiting for their end.
    package func send(_ statements: String) {
        count += 1
        marks.append("lockstep-end-\(count)")
        // Another semicolon would be a statement of its own, and then the last one that others see.
        let end = statements.hasSuffix(";") ? "" : ";"
        let text = "\(statements)\n\(end)\\echo lockstep-end-\(count)\n"
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Sends a statement, and waits until it has ended or is itself waiting for another session.
    package func sendAndWait(_ statement: String, observer: PostgreSQLSession) throws {
        let process = try rows("SELECT pg_backend_pid();")[0]
        send(statement)
        _ = try observer.waits(process)
    }

    /// The rows of a statement.
    ///
    /// - Parameter release: Ends one of the sessions for which the statement waits, as often as it does.
    package func rows(
        _ statement: String, observer: PostgreSQLSession, whileWaiting release: () throws -> Void
    ) throws -> [String] {
        let process = try rows("SELECT pg_backend_pid();")[0]
        send(statement)
        do {
            while try observer.waits(process) { try release() }
        } catch {
            // What was sent is read in any case, or it would be taken for the rows of the next statement.
            _ = try? received()
            throw error
        }
        return try received()
    }

    /// Whether another session, which was just sent a statement, waits for a lock, and has not executed it yet.
    private func waits(_ process: String) throws -> Bool {
        let state = """
            SELECT state = 'active' FROM pg_stat_activity WHERE pid = \(process) AND query NOT LIKE '%pg_backend_pid%'
                AND (state LIKE 'idle%' OR cardinality(pg_blocking_pids(pid)) > 0);
            """
        while true {
            if let isWaiting = try rows(state).first { return isWaiting == "t" }
        }
    }

    /// The rows of the statements that were sent first and not read yet, a line each, values joined by `|`.
    ///
    /// - Throws: `CommandFailure` with the message, if one failed; ``Ended``.
    package func received() throws -> [String] {
        let mark = marks.removeFirst()
        var lines: [String] = []
        while true {
            let line = try nextLine()
            if line == mark { break }
            lines.append(line)
        }
        if let failure = lines.first(where: { $0.hasPrefix("ERROR:") || $0.hasPrefix("FATAL:") }) {
            throw CommandFailure(command: "PostgreSQL", output: failure)
        }
        return lines
    }

    @discardableResult
    package func rows(_ statements: String) throws -> [String] {
        send(statements)
        return try received()
    }

    private func nextLine() throws -> String {
        let newline = UInt8(ascii: "\n")
        while true {
            if let end = buffer.firstIndex(of: newline) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw Ended() }
            buffer += data
        }
    }
}
