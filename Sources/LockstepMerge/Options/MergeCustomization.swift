public import GRDB
public import LockstepStore

/// What an app does to the records of one entity while they are merged (Rules.md, M14).
///
/// ```swift
/// store.customizeMerge(of: Entry.self, MergeCustomization(willInsert: { json, context in
///     guard case .object(var members) = json else { return json }
///     members["title"] = members["title"] ?? .string("Untitled")
///     return .object(members)
/// }))
/// ```
///
/// The closures run inside of the merge's transaction, off the main actor, one at a time. They must not use the store:
/// it waits for the merge. Each is called once for a record, in the order of the payload, an owner's before those of
/// the records that are nested in it. Merging twice is merging once (Rules.md, M15) where they give the same for the
/// same.
public struct MergeCustomization<Object: Model>: Sendable {
    /// Gives the JSON that is merged for a record's; `nil` to leave the record out.
    ///
    /// It may give another identity: the record is then matched by that, and no other hook is called for it. What it
    /// gives is read as if the server had sent it. A record that is left out is among the summary's skipped ones, with
    /// all that is nested in it; it counts as listed, so that it is not deleted.
    ///
    /// Where it throws, the record is one that is not valid: by ``MergeOptions/invalidRecords`` it is skipped, or the
    /// merge throws a ``MergeError`` with the code `hook`.
    public typealias Change = @Sendable (_ json: JSONValue, _ context: HookContext) throws -> JSONValue?

    /// Called for a record that is not here yet, where ``MergeSwitches/insert`` is on.
    ///
    /// Records without identity are replaced with their owner: they are new each time, and not written where they are
    /// as before.
    public var willInsert: Change?

    /// Called for a record that is here, whether or not it differs, where ``MergeSwitches/update`` is on; also for one
    /// that came before in the same payload.
    public var willUpdate: Change?

    /// Called once, when all of a merge is written that had to do with the entity, and not yet committed. What it
    /// throws rolls back the merge, which throws a ``MergeError`` with the code `hook`. What it writes is part of the
    /// merge.
    ///
    /// A dry run calls it too, and rolls back what it has written.
    public var didMerge: (@Sendable (_ summary: MergeSummary, _ database: Database) throws -> Void)?

    /// Called instead of merging a record, by everything but its links from owners that hold keys to it: it reads and
    /// writes what it likes, and says what became of the record; `nil` where it was left out. What is nested in the
    /// record is not merged, and the other two hooks are not called.
    ///
    /// Where it throws, what it has written for this record is undone, and the record is one that is not valid.
    public var replace:
        (@Sendable (_ json: JSONValue, _ context: HookContext, _ database: Database) throws -> MergeOutcome?)?

    /// A customization with some of the hooks.
    public init(
        willInsert: Change? = nil, willUpdate: Change? = nil,
        didMerge: (@Sendable (_ summary: MergeSummary, _ database: Database) throws -> Void)? = nil,
        replace: (
            @Sendable (_ json: JSONValue, _ context: HookContext, _ database: Database) throws -> MergeOutcome?
        )? =
            nil
    ) {
        self.willInsert = willInsert
        self.willUpdate = willUpdate
        self.didMerge = didMerge
        self.replace = replace
    }
}

/// The hooks of an entity, whatever its model.
struct EntityHooks: Sendable {
    let willInsert: (@Sendable (JSONValue, HookContext) throws -> JSONValue?)?
    let willUpdate: (@Sendable (JSONValue, HookContext) throws -> JSONValue?)?
    let didMerge: (@Sendable (MergeSummary, Database) throws -> Void)?
    let replace: (@Sendable (JSONValue, HookContext, Database) throws -> MergeOutcome?)?

    init<Object: Model>(_ customization: MergeCustomization<Object>) {
        willInsert = customization.willInsert
        willUpdate = customization.willUpdate
        didMerge = customization.didMerge
        replace = customization.replace
    }

    /// Whether it has to see each record.
    var takesRecords: Bool { willInsert != nil || willUpdate != nil || replace != nil }
}
