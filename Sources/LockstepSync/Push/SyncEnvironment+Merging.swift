import Foundation
import LockstepStore

extension SyncEnvironment {
    /// Merges a record into an entity that is known by its description only, and reports what that did.
    func mergeAny(_ json: Data, into plan: EntityPlan, options: MergeOptions) async throws {
        if let summary = try await store.mergeAny(json, into: plan, options: options) { note([summary]) }
    }
}

extension Store {
    /// Merges a record into an entity that is known by its description only.
    fileprivate func mergeAny(
        _ json: Data, into plan: EntityPlan, options: MergeOptions
    ) async throws -> MergeSummary? {
        guard let type = model(named: plan.name) else { return nil }
        return try await mergeOne(json, as: type, options: options)
    }

    /// Deletes a record that the server no longer has, of an entity that is known by its description only.
    func deleteAny(
        _ identity: RemoteIdentity, of plan: EntityPlan, options: MergeOptions
    ) async throws -> MergeSummary? {
        guard let type = model(named: plan.name) else { return nil }
        return try await deleteOne(identity, as: type, options: options)
    }

    private func deleteOne<Object: Model>(
        _ identity: RemoteIdentity, as type: Object.Type, options: MergeOptions
    ) async throws -> MergeSummary {
        try await applyServerDeletes(of: type, identities: [identity], options: options)
    }

    private func mergeOne<Object: Model>(
        _ json: Data, as type: Object.Type, options: MergeOptions
    ) async throws -> MergeSummary {
        try await merge(json, into: type, options: options)
    }
}
