import Foundation
import LockstepStore

/// A file of an earlier version of the library lacks how the server spells the UUIDs of its records: a request for one
/// of them could be one for another record (Rules.md, M5).
extension Sync {
    /// Pulls everything once, if it is not known how the server spells the identities of records.
    func learnSpellings() async throws {
        guard try await hasUnknownSpellings() else { return }
        for type in syncedTypes {
            do { try await learnSpellings(of: type) } catch let error as SyncError where error.isNoList { continue }
        }
        try await store.writeRaw("noting what was pulled") { database, _ in
            try IdentitySpellings.forgetUnknown(database)
        }
    }

    private func hasUnknownSpellings() async throws -> Bool {
        try await store.reading("reading the store") { try IdentitySpellings.hasUnknown($0) }
    }

    private func learnSpellings<Object: Model>(of type: Object.Type) async throws {
        do {
            let summary = try await pull(type, .all, .collection, [], MergeOptions(), isRoutine: true)
            summary.merges.forEach(environment.merges.report)
        } catch let error as MergeError {
            throw SyncError.cannotMerge(error, type.entity.name)
        }
    }

    /// Does so before anything is sent.
    ///
    /// - Returns: What is waited for; `nil` if it can be sent now.
    func waitToLearn(_ session: PushSession, after summary: PushSummary) async throws -> PushSession.Pass? {
        guard try await hasUnknownSpellings(), try await store.outbox.status().count > 0 else { return nil }
        do { try await learnSpellings() } catch let error as SyncError where !error.stopsSync {
            var pass = PushSession.Pass(summary: summary)
            pass.isPaused = true
            pass.wait = (try await session.pause([], error), error)
            return pass
        }
        return nil
    }
}

extension SyncError {
    /// Whether the server lists no such collection.
    fileprivate var isNoList: Bool {
        switch code {
        case .notFound, .refused, .unsupported: true
        default: false
        }
    }
}
