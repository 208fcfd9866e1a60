package import GRDB
package import LockstepJSON

/// The hooks of an entity, independent of its model.
package struct EntityHooks: Sendable {
    let willInsert: (@Sendable (JSONValue, HookContext) throws -> JSONValue?)?
    let willUpdate: (@Sendable (JSONValue, HookContext) throws -> JSONValue?)?
    let didMerge: (@Sendable (MergeSummary, Database) throws -> Void)?
    let replace: (@Sendable (JSONValue, HookContext, Database) throws -> MergeOutcome?)?

    package init(
        willInsert: (@Sendable (JSONValue, HookContext) throws -> JSONValue?)?,
        willUpdate: (@Sendable (JSONValue, HookContext) throws -> JSONValue?)?,
        didMerge: (@Sendable (MergeSummary, Database) throws -> Void)?,
        replace: (@Sendable (JSONValue, HookContext, Database) throws -> MergeOutcome?)?
    ) {
        (self.willInsert, self.willUpdate, self.didMerge, self.replace) = (willInsert, willUpdate, didMerge, replace)
    }

    /// Whether the hooks need each record.
    var takesRecords: Bool { willInsert != nil || willUpdate != nil || replace != nil }
}

/// Hooks by the names of their entities.
package struct MergeCustomizations: Sendable {
    package var byEntity: [String: EntityHooks] = [:]

    package init() {}
}
