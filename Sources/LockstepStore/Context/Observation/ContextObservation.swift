import Observation

/// The observable state of a context: relationships of its objects, which ones are new, and whether it has unsaved
/// changes.
///
/// Attributes notify by themselves. A relationship may be changed from its other end, by a commit or by undo, so what
/// it has shown is compared with what it shows now, once after each of the app's calls.
final class ContextObservation {
    private let observers = ObserverList()
    private var relationships: [OwnedRelationship: ObservedRelationship] = [:]
    private var shownHasChanges: Bool?
    /// The depth of calls that may change the context.
    private var depth = 0
    private var isComparing = false
    /// Whether relationships may show something else since the last comparison.
    private var mayHaveOtherLinks = false
    /// Whether an observer has changed something during a comparison.
    private var mustCompareAgain = false
    /// The tables that commits have changed since the last comparison.
    private var changedTables: Set<String> = []
    /// The context's link epoch at the last comparison.
    private var comparedEpoch = 0
    /// The context's link epoch as far as the changed tables explain it.
    private var explainedEpoch = 0

    /// The last shown value of a relationship. Nothing is kept alive: the context would keep itself alive.
    private struct ObservedRelationship {
        weak var owner: ManagedObject?
        weak var links: LoadedLinks?
        var version = 0
        var shown: [ObjectIdentifier]
    }

    // MARK: Reads

    /// Notes what a relationship has shown.
    func show(_ links: LoadedLinks, of owner: ManagedObject, for relationship: Int) {
        let key = OwnedRelationship(owner, relationship: relationship)
        if let known = relationships[key], known.links === links, known.version == links.version { return }
        show(
            ObservedRelationship(
                owner: owner, links: links, version: links.version, shown: links.members.map { ObjectIdentifier($0) }),
            key: key)
    }

    /// Notes what a to-one that holds the key has shown.
    func show(_ destination: ManagedObject?, of owner: ManagedObject, for relationship: Int) {
        // Those who observe it are with the object.
        if let destination { owner.keep(destination, for: relationship) }
        let shown = destination.map { [ObjectIdentifier($0)] } ?? []
        show(
            ObservedRelationship(owner: owner, shown: shown), key: OwnedRelationship(owner, relationship: relationship))
    }

    private func show(_ observed: ObservedRelationship, key: OwnedRelationship) {
        // What others have been shown before counts until they are notified.
        if let known = relationships[key], known.owner != nil, known.shown != observed.shown { return noteOtherLinks() }
        relationships[key] = observed
    }

    /// Notes that the app asks whether there are unsaved changes.
    func didReadHasChanges(of context: ManagedObjectContext) {
        TrackingProbe.main.forget()
        guard TrackingProbe.main.isTracking(observers) else { return }
        if shownHasChanges == nil { shownHasChanges = !context.unsaved.isEmpty }
        observers.registrar.access(context, keyPath: \.hasChanges)
    }

    /// Notes that the app looks for a new object.
    func didReadInserted(of context: ManagedObjectContext) {
        observers.registrar.access(context, keyPath: \.unsaved.inserted)
    }

    // MARK: Changes

    /// Notifies those who look for a new object that there is another one, or one again.
    func didInsert(in context: ManagedObjectContext) {
        observers.registrar.withMutation(of: context, keyPath: \.unsaved.inserted) {}
    }

    /// Begins a call that may change the context.
    func begin() {
        depth += 1
        noteOtherLinks()
    }

    /// Notes that relationships may show something else, other than by a call that begins and ends here.
    func noteOtherLinks() { mayHaveOtherLinks = true }

    /// Ends it, and notifies observers of what it has changed.
    func end(in context: ManagedObjectContext) {
        depth -= 1
        compare(in: context)
    }

    /// Ends loading a row, whose effects on relationships are noticed later: its statement is still running.
    func endLoading() { depth -= 1 }

    /// Notes that commits have changed tables, and loaded relationships are no longer valid because of them.
    func didUnload(because tables: some Sequence<String>, from epoch: Int, to now: Int) {
        changedTables.formUnion(tables)
        if explainedEpoch == epoch { explainedEpoch = now }
    }

    /// Notifies observers of what has changed, unless a call is still changing the context.
    func compare(in context: ManagedObjectContext) {
        guard depth == 0 else { return }
        mustCompareAgain = isComparing
        if isComparing { return }
        isComparing = true
        defer { isComparing = false }
        repeat {
            mustCompareAgain = false
            if shownHasChanges != nil { compareHasChanges(of: context) }
            if mayHaveOtherLinks { compareAllRelationships(in: context) }
        } while mustCompareAgain
    }

    private func compareAllRelationships(in context: ManagedObjectContext) {
        mayHaveOtherLinks = false
        if !relationships.isEmpty { loadUnloaded(in: context) }
        changedTables = []
        (comparedEpoch, explainedEpoch) = (context.linkEpoch, context.linkEpoch)
        compareRelationships(in: context)
    }

    private func compareHasChanges(of context: ManagedObjectContext) {
        guard let shownHasChanges, shownHasChanges == context.unsaved.isEmpty else { return }
        self.shownHasChanges = nil
        observers.registrar.withMutation(of: context, keyPath: \.hasChanges) {}
    }

    private func compareRelationships(in context: ManagedObjectContext) {
        for (key, observed) in relationships {
            guard let owner = observed.owner else {
                relationships[key] = nil
                continue
            }
            let links = Self.links(of: owner, for: key.relationship)
            if let links, links === observed.links, links.version == observed.version { continue }
            let members = links?.members ?? Self.destination(of: owner, for: key.relationship).map { [$0] } ?? []
            guard !members.lazy.map({ ObjectIdentifier($0) }).elementsEqual(observed.shown) else { continue }
            // Who still observes it reads it again.
            relationships[key] = nil
            owner.didChange(.relationship(key.relationship))
        }
    }

    /// Loads relationships again that are no longer valid, each kind in one query. Those whose tables no commit has
    /// changed are still valid.
    private func loadUnloaded(in context: ManagedObjectContext) {
        let isExplained = explainedEpoch == context.linkEpoch
        var unloaded: [RelationshipOfEntity: [ManagedObject]] = [:]
        for (key, observed) in relationships {
            guard let owner = observed.owner, let records = owner.records else { continue }
            if owner.hasKeptDestination(key.relationship) { continue }
            let links = owner.links(key.relationship)
            guard links.epoch != context.linkEpoch else { continue }
            if isExplained, links.epoch == comparedEpoch, !isAffected(records, for: key.relationship) {
                links.epoch = context.linkEpoch
            } else {
                let kind = RelationshipOfEntity(plan: ObjectIdentifier(records.plan), index: key.relationship)
                unloaded[kind, default: []].append(owner)
            }
        }
        for (key, owners) in unloaded {
            // What cannot be read is read again, and reported, by whoever reads the relationship next.
            try? LinkLoader(context).load(key.index, of: owners)
        }
    }

    private func isAffected(_ records: RecordMap, for relationship: Int) -> Bool {
        let description = records.plan.relationships[relationship]
        if changedTables.contains(records.destination(relationship).plan.table) { return true }
        guard case .manyToMany(let join) = description.kind else { return false }
        return changedTables.contains(join.table)
    }

    private struct RelationshipOfEntity: Hashable {
        let plan: ObjectIdentifier
        let index: Int
    }

    /// The members of a relationship, sorted; `nil` for a to-one that holds the key.
    private static func links(of owner: ManagedObject, for relationship: Int) -> LoadedLinks? {
        if case .toOne = owner.plan.relationships[relationship].kind { return nil }
        return (try? owner.context.loadedLinks(of: owner, for: relationship)) ?? LoadedLinks()
    }

    /// The record that a to-one's key leads to, as far as the context knows it.
    private static func destination(of owner: ManagedObject, for relationship: Int) -> ManagedObject? {
        guard let key = owner.foreignKey(relationship) else { return nil }
        let object = owner.records?.destination(relationship).registeredObject(of: key)
        return object?.state == .deleted ? nil : object
    }
}
