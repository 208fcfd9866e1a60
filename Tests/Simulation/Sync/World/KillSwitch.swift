import Foundation
import LockstepStore
import LockstepSystem

/// Kills a device between two statements: what its files have at that moment is what is left of it.
///
/// The database and its journal are copied as they are, inside of the callback that SQLite makes before a statement.
/// The process writes nothing else, so that is what `kill -9` would leave. What the device does after that is not seen
/// by anybody: see ``GatedRemote``.
final class KillSwitch: Sendable {
    private struct State {
        var countdown: Int?
        var isDead = false
        var isIgnoring = false
        var statement: String?
        var problem: (any Error)?
    }

    private let state = Locked(State())
    private let file: URL
    private let copy: URL

    /// - Parameters:
    ///   - file: The database.
    ///   - copy: Where it is copied to.
    init(_ file: URL, copy: URL) {
        self.file = file
        self.copy = copy
    }

    var isDead: Bool { state.withLock { $0.isDead } }
    /// Before which statement it was killed.
    var statement: String? { state.withLock { $0.statement } }
    var problem: (any Error)? { state.withLock { $0.problem } }

    /// Looks at every statement of a connection from now on.
    func watch(_ database: Database) {
        database.trace { [self] event in
            guard case .statement(let statement) = event, countDown() else { return }
            die(before: statement.sql)
        }
    }

    /// Kills the device after so many statements.
    func arm(after statements: Int) { state.withLock { $0.countdown = statements } }
    func disarm() { state.withLock { $0.countdown = nil } }

    /// Runs statements of a connection that are none of the device's.
    func ignoring(_ body: () -> Void) {
        state.withLock { $0.isIgnoring = true }
        body()
        state.withLock { $0.isIgnoring = false }
    }

    private func countDown() -> Bool {
        state.withLock { state in
            guard !state.isDead, !state.isIgnoring, let countdown = state.countdown else { return false }
            state.countdown = countdown - 1
            return countdown <= 1
        }
    }

    private func die(before statement: String) {
        do {
            try FileManager.default.copyItem(at: file, to: copy)
            let journal = file.path + "-wal"
            if FileManager.default.fileExists(atPath: journal) {
                try FileManager.default.copyItem(atPath: journal, toPath: copy.path + "-wal")
            }
        } catch {
            state.withLock { $0.problem = error }
        }
        state.withLock { state in
            state.isDead = true
            state.statement = String(statement.prefix(60))
        }
    }
}
