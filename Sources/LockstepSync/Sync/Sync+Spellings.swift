import GRDB
import LockstepStore
import LockstepSystem

/// A file of an earlier version of the library lacks how the server spells the UUIDs of its records: a request for one
/// of them could be one for another record (Rules.md, M5). So the collections that contain them are pulled first.
extension Sync {
    /// Sends what can be sent now. What names a record whose collection fails waits (Rules.md, P11).
    func sendPass(of session: PushSession, after summary: PushSummary) async throws -> PushSession.Pass {
        let unreachable = try await learnSpellings()
        var pass = try await session.pass(after: summary)
        // If nothing else was sent, this was the attempt to reach the server (Rules.md, P7).
        if let unreachable, pass.wait != nil, pass.summary.sent == summary.sent, !pass.isPaused {
            environment.spellings.withLock { $0.waits = $0.waits.filter { !$0.value.error.isUnreachable } }
            pass.isPaused = true
            pass.wait = (try await session.pause([], error: unreachable), unreachable)
        }
        return pass
    }

    /// An identity as it is requested.
    ///
    /// - Throws: The error of a collection that must be pulled before.
    func remoteIdentity(_ values: [DatabaseValue], of plan: EntityPlan) async throws -> RemoteIdentity {
        var pulled: [String: Result<Void, SyncError>] = [:]
        while true {
            do {
                return try await store.reading("reading the store") {
                    RemoteIdentity(try IdentitySpellings($0).identity(values, of: plan))
                }
            } catch let unknown as UnknownSpelling {
                try await learnSpellings(of: unknown.plan, pulled: &pulled).get()
            }
        }
    }

    /// Pulls what has to be pulled before something is sent.
    ///
    /// - Returns: Why a collection could not be reached; `nil` if all could.
    private func learnSpellings() async throws -> SyncError? {
        if environment.spellings.withLock(\.areKnown) { return nil }
        let names = try await store.reading("reading the store") { try IdentitySpellings.unknownEntities($0) }
        let plans = store.plans.filter { names.contains($0.name) }
        environment.spellings.withLock { $0.areKnown = plans.isEmpty }
        if plans.isEmpty { return nil }
        guard try await store.outbox.status().count > 0 else { return nil }
        var pulled: [String: Result<Void, SyncError>] = [:]
        var unreachable: SyncError?
        for plan in plans {
            let wait = environment.spellings.withLock { $0.waits[plan.name] }
            guard environment.due(wait?.time) == nil else { continue }
            guard case .failure(let error) = try await learnSpellings(of: plan, pulled: &pulled) else { continue }
            environment.delayLearning(plan, because: error)
            if error.isUnreachable { unreachable = error }
        }
        return unreachable
    }

    /// Pulls the collections that list the records of an entity.
    ///
    /// - Parameter pulled: The results of collections that were pulled before.
    private func learnSpellings(
        of plan: EntityPlan, pulled: inout [String: Result<Void, SyncError>]
    ) async throws -> Result<Void, SyncError> {
        let own = syncedTypes.filter { $0.entity.plan === plan }
        let types = own.isEmpty ? syncedTypes.filter { $0.entity.plan.embeds(plan) } : own
        for type in types {
            let result: Result<Void, SyncError>
            if let earlier = pulled[type.entity.name] { result = earlier } else { result = try await pullAll(of: type) }
            pulled[type.entity.name] = result
            if case .failure = result { return result }
        }
        try await store.writeRaw("noting what was pulled") { database, _ in
            try IdentitySpellings.forgetUnknown(of: plan, in: database)
        }
        return .success(())
    }

    /// - Returns: An error that concerns only this collection.
    private func pullAll<Object: Model>(of type: Object.Type) async throws -> Result<Void, SyncError> {
        do {
            let summary = try await pull(
                type, scope: .all, target: .collection, query: [], options: MergeOptions(), isRoutine: true)
            summary.merges.forEach(environment.merges.report)
            return .success(())
        } catch let error as MergeError {
            return .failure(.cannotMerge(error, of: type.entity.name))
        } catch let error as SyncError where error.isNoList {
            return .success(())
        } catch let error as SyncError where error.concernsOneCollection {
            return .failure(error)
        }
    }
}

extension SyncError {
    /// Whether the server lists no such collection.
    fileprivate var isNoList: Bool {
        switch code {
        case .notFound, .unsupported: true
        case .refused(let status): [403, 404, 405].contains(status)
        default: false
        }
    }
}

extension EntityPlan {
    /// Whether its records may contain records of another entity, at any depth.
    fileprivate func embeds(_ other: EntityPlan) -> Bool {
        var seen: Set<String> = []
        var open = [self]
        while let plan = open.popLast() {
            for relationship in plan.relationships where relationship.isEmbedded {
                let member = relationship.destination
                if member === other { return true }
                if seen.insert(member.name).inserted { open.append(member) }
            }
        }
        return false
    }
}
