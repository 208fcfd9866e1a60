extension Context {
    /// Makes a context that shows this one as it is, unsaved changes included, and saves to it.
    ///
    /// What is changed in the child is nowhere else until the child's ``save()`` hands it over: then this context has
    /// it as unsaved changes, and its own save stores it. Until then it can be thrown away: by ``rollback()``, or by
    /// letting go of the child. Objects of it that the app still has count as deleted then.
    ///
    /// ```swift
    /// let draft = context.makeChild()
    /// let sheet = try JobSheet.find(1, in: draft)
    /// sheet?.name = "Pump room"
    /// try draft.save()      // `context` has the name now
    /// try context.save()    // the store has it
    /// ```
    ///
    /// - A child has objects of its own, one for each record. Links go between records of one context.
    /// - ``find(_:_:)`` and relationships show this context's unsaved changes; `fetch`, `count` and `exists` ask the
    ///   store, as everywhere, and what this context has changed of the rows is shown, and what it is about to delete
    ///   left out.
    /// - What this context changes, takes back, saves or rolls back later is taken over when the child is next asked
    ///   for something or saved, the child's own changes untouched. Records that it deleted, or that never came to be,
    ///   count as deleted in the child. What becomes of one that the child has changed, its ``mergePolicy`` says: by
    ///   default the child's save makes it again.
    /// - A child is used where its parent is: on the same actor, or within the same `perform`. It keeps its parent
    ///   alive; the context of a `perform` closes its children when that ends.
    public func makeChild() -> Context {
        let child = Context(base, parent: self, isDroppable: true)
        family.addChild(child)
        observers.addCompanion(child)
        return child
    }

    /// Makes a context beside this one: it shows the store without this one's unsaved changes, and saves to the store.
    ///
    /// It is used where this one is, on the same actor or within the same `perform`, and thrown away by letting go of
    /// it. Objects of it that the app still has count as deleted then. So keep it in a variable: its
    /// objects do not keep it.
    ///
    /// ```swift
    /// let scratch = context.makeScratch()
    /// let stored = try JobSheet.find(1, in: scratch)?.name
    /// ```
    public func makeScratch() -> Context {
        let scratch = Context(base, isDroppable: true)
        family.addScratch(scratch)
        observers.addCompanion(scratch)
        return scratch
    }
}
