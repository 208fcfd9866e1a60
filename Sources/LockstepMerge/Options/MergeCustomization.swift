public import GRDB
public import LockstepStore

/// Customizes how the records of one entity are merged (Rules.md, M14).
///
/// ```swift
/// store.customizeMerge(of: Entry.self, MergeCustomization(willInsert: { json, context in
///     guard case .object(var members) = json else { return json }
///     members["title"] = members["title"] ?? .string("Untitled")
///     return .object(members)
/// }))
/// ```
///
/// The closures run inside the merge's transaction, off the main actor, one at a time. They must not use the store,
/// which waits for the merge. Each is called once for a record, in the order of the payload; an owner's before those of
/// the records nested in it. Merging twice has the same result as merging once (Rules.md, M15) if the closures return
/// the same for the same input.
public struct MergeCustomization<Object: Model>: Sendable {
    /// Returns the JSON to merge for a record, or `nil` to leave the record out.
    ///
    /// It may return another identity: the record is then matched by that, and no other hook is called for it. The
    /// result is read as if the server had sent it. A record that is left out is among the summary's skipped ones,
    /// along with everything nested in it; it counts as listed, so it is not deleted.
    ///
    /// If it throws, the record is invalid: depending on ``MergeOptions/invalidRecords``, it is skipped, or the merge
    /// throws a ``MergeError`` with the code `hook`.
    public typealias Change = @Sendable (_ json: JSONValue, _ context: HookContext) throws -> JSONValue?

    /// Called for a record that is not in the store, if ``MergeOperations/insert`` is set.
    ///
    /// Records without an identity are replaced with their owner: they are new each time, and not written if they did
    /// not change.
    public var willInsert: Change?

    /// Called for a record that is in the store, whether or not it differs, if ``MergeOperations/update`` is set; also
    /// for one that came earlier in the same payload.
    public var willUpdate: Change?

    /// Called once if the merge involved the entity, after everything is written and before the commit. If it throws,
    /// the merge is rolled back and throws a ``MergeError`` with the code `hook`. What it writes is part of the merge.
    ///
    /// It is also called for a dry run, and what it has written is rolled back.
    public var didMerge: (@Sendable (_ summary: MergeSummary, _ database: Database) throws -> Void)?

    /// Called instead of merging a record, except for links from owners that hold foreign keys to it: it may read and
    /// write anything, and returns the outcome of the record, or `nil` if it was left out. Records nested in the record
    /// are not merged, and the other two hooks are not called.
    ///
    /// If it throws, what it has written for this record is rolled back, and the record is invalid.
    public var replace:
        (@Sendable (_ json: JSONValue, _ context: HookContext, _ database: Database) throws -> MergeOutcome?)?

    /// Creates a customization with some of the hooks.
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
