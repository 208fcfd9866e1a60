extension ManagedObjectContext {
    /// Creates a child context, which shows this context with its unsaved changes, and saves to it.
    ///
    /// Changes in the child are visible only there until the child's `save()`. Then they become unsaved changes of
    /// this context, whose own save stores them. Until then, discard them by ``rollback()``, or by releasing the child.
    /// Objects of the child that the app still has count as deleted then.
    ///
    /// ```swift
    /// let draft = context.makeChild()
    /// let sheet = try JobSheet.find(1, in: draft)
    /// sheet?.name = "Pump room"
    /// try draft.save()      // `context` has the name now
    /// try context.save()    // the store has it
    /// ```
    ///
    /// - A child has its own objects, one for each record. Only records of the same context can be linked.
    /// - ``find(_:_:)`` and relationships show this context's unsaved changes. As in every context, `fetch`, `count`
    ///   and `exists` query the store; the resulting objects show what this context has changed, and records that it is
    ///   about to delete are left out.
    /// - What this context later changes, undoes, saves or rolls back is picked up when the child is next used or
    ///   saved. The child's own changes are kept. Records that this context deleted or discarded count as deleted in
    ///   the child. If the child has changed such a record, its ``mergePolicy`` applies: by default, the child's save
    ///   creates it again.
    /// - Use a child where its parent is used: on the same actor, or within the same `perform`. It keeps its parent
    ///   alive. The context of a `perform` closes its children when it ends.
    public func makeChild() -> ManagedObjectContext {
        let child = ManagedObjectContext(base, parent: self, isDroppable: true, isObservable: observation != nil)
        family.addChild(child)
        observers.addCompanion(child)
        return child
    }

    /// Creates a context next to this one: it shows the store without this one's unsaved changes, and saves to the
    /// store.
    ///
    /// Use it where this context is used, on the same actor or within the same `perform`. To discard it, release it.
    /// Objects of it that the app still has count as deleted then, so keep the context in a variable: its objects do
    /// not keep it alive.
    ///
    /// ```swift
    /// let scratch = context.makeScratch()
    /// let stored = try JobSheet.find(1, in: scratch)?.name
    /// ```
    public func makeScratch() -> ManagedObjectContext {
        let scratch = ManagedObjectContext(base, isDroppable: true, isObservable: observation != nil)
        family.addScratch(scratch)
        observers.addCompanion(scratch)
        return scratch
    }
}
