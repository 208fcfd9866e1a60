import Foundation
import GRDB

/// Ends this process at a point of a migration, and counts what there is to end it at.
///
/// `@unchecked`: the connections of a migration are used one after the other.
final class MigrationFuse: @unchecked Sendable {
    private let point: KillPoint?
    private let file: URL
    private var isCommitted = false
    private var limitsFiles = false
    /// The number of statements so far.
    private(set) var statementCount = 0
    /// The length of the journal after the commit.
    private(set) var journalBytes = 0

    init(_ point: KillPoint?, file: URL) {
        (self.point, self.file) = (point, file)
        if case .file(let bytes) = point { limitFiles(to: bytes) }
    }

    func watch(_ database: Database) {
        let isReadonly = database.configuration.readonly
        database.trace(options: [.statement, .profile]) { [self] event in
            switch event {
            case .statement(let statement):
                statementCount += 1
                if limitsFiles { unblockSignal() }
                if point == .statement(statementCount) { end() }
                guard !isReadonly, !isCommitted, Self.isCommit(statement.sql) else { return }
                if case .commit(let bytes) = point { limitFiles(to: bytes) }
            case .profile(let statement, _):
                guard !isReadonly, !isCommitted, Self.isCommit(statement.sql) else { return }
                isCommitted = true
                if point == .committed { end() }
                let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")
                journalBytes = (attributes?[.size] as? NSNumber)?.intValue ?? 0
            }
        }
    }

    /// The migration's is the first on a connection that writes.
    private static func isCommit(_ sql: String) -> Bool { sql.hasPrefix("COMMIT") }

    private func end() { kill(getpid(), SIGKILL) }

    /// The system writes what is below the limit, and sends a signal for the rest: a write is torn, as in a crash.
    private func limitFiles(to bytes: Int) {
        signal(SIGXFSZ) { _ in kill(getpid(), SIGKILL) }
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        guard setrlimit(resource, &limit) == 0 else { exit(5) }
        limitsFiles = true
        unblockSignal()
    }

    /// The threads of Dispatch block signals, and so do processes that they start: a write would fail instead.
    private func unblockSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGXFSZ)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
