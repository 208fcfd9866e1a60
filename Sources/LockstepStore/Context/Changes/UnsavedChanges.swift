/// The changes of a context that the next save stores.
final class UnsavedChanges {
    /// New objects, in the order in which they were created. Some may have been deleted since.
    var inserted: [ManagedObject] = []
    /// Objects with changes. Some may have been deleted since.
    var changed: [ManagedObject] = []
    /// Stored objects that are to be deleted.
    var deleted: [ManagedObject] = []
    /// Links of many-to-many relationships, by table.
    var joins: [String: JoinChanges] = [:]
    /// Owners whose ordered many-to-many relationship has an unsaved order, with the relationship.
    var reordered: [OwnedRelationship: ManagedObject] = [:]
    /// The orders that the store had before, for merge policies that need them.
    var formerOrders: [OwnedRelationship: [RecordKey]] = [:]
    /// Conflicts that the merge policy leaves for the save to throw.
    var conflicts: [ObjectIdentifier: Conflict] = [:]
    /// Unsaved attachments that were replaced by others. Undo may restore them.
    var replacedAttachments: [FileAttachment] = []

    /// Counts unsaved changes, and changes that were undone or picked up. Children follow it.
    private(set) var revision: UInt64 = 0
    /// How often the lists were emptied, by a save or a rollback.
    private(set) var clearCount = 0
    /// Whether a link that was changed back is kept as a change. See ``JoinChanges/keepsUndone``.
    private let keepsUndoneLinks: Bool
    private let recorders: ChangeRecorders

    init(_ recorders: ChangeRecorders, keepsUndoneLinks: Bool) {
        self.recorders = recorders
        self.keepsUndoneLinks = keepsUndoneLinks
    }

    /// Whether there is nothing to save.
    var isEmpty: Bool {
        !inserted.contains { $0.state == .inserted } && !changed.contains { $0.state == .changed }
            && deleted.isEmpty && joins.values.allSatisfy { $0.changes.isEmpty } && reordered.isEmpty
    }

    /// Increments the revision.
    func didChange() { revision &+= 1 }

    /// Records that a link of a many-to-many relationship was added or removed.
    func noteLink(_ source: ManagedObject, to destination: ManagedObject, in join: JoinDescription, isAdded: Bool) {
        let changes = self.join(join)
        let note = changes.note(source, to: destination, in: join, isAdded: isAdded)
        recorders.current?.didNote(note, in: changes)
    }

    /// The links of a table, for recording another one.
    private func join(_ description: JoinDescription) -> JoinChanges {
        didChange()
        if let join = joins[description.table] { return join }
        let join = JoinChanges(description, keepsUndone: keepsUndoneLinks)
        joins[description.table] = join
        return join
    }

    /// Removes an object from the list of changed ones.
    func removeChanged(_ object: ManagedObject) { changed.removeAll { $0 === object } }

    func isReordered(_ owner: ManagedObject, for relationship: Int) -> Bool {
        !reordered.isEmpty && reordered[OwnedRelationship(owner, relationship: relationship)] != nil
    }

    /// Removes all changes, because they were saved or discarded.
    func removeAll() {
        clearCount += 1
        didChange()
        inserted.removeAll()
        changed.removeAll()
        deleted.removeAll()
        joins.removeAll()
        reordered.removeAll()
        formerOrders.removeAll()
        conflicts = [:]
        replacedAttachments = []
    }
}

/// One ordered many-to-many relationship of one owner.
struct OwnedRelationship: Hashable {
    let owner: ObjectIdentifier
    let relationship: Int

    init(_ owner: ManagedObject, relationship: Int) {
        self.owner = ObjectIdentifier(owner)
        self.relationship = relationship
    }
}
