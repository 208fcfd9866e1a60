extension Context {
    /// Takes a new object in; generated initializers call it.
    @_spi(Generated) public func insert<Object: Model>(_ object: Object) {
        precondition(object.context === self, "A model is inserted into the context it was made in.")
        guard object.recordState == .inserted, object.records == nil else { return }
        beginChange()
        defer { endChange() }
        recorders.current?.willInsert(object)
        unsaved.inserted.append(object)
        unsaved.didChange()
        adoptAttachments(of: object, Object.entity.plan)
        records(Object.self).insert(object)
    }

    /// Whether the object's record is deleted, by the next save or already.
    public func isDeleted(_ object: ManagedObject) -> Bool { object.recordState == .deleted }

    /// Deletes a record with the next save, and at once as far as the context shows: what cascades goes with it, links
    /// to it are cleared, each as the schema's delete rules say. Where a rule denies the delete, the save throws.
    public func delete(_ object: ManagedObject) {
        guard object.context === self else { return }
        beginChange()
        defer { endChange() }
        ObjectDeletion(self).delete(object)
    }

    /// Notes that the app has set something of a record that is deleted, unless a delete is clearing its links.
    func noteLostChange(of object: ManagedObject, attribute: String) {
        if !activity.isDeleting { errors.noteLostChange(of: object, attribute: attribute) }
    }

    /// What is changed until the matching ``endChange()`` is one step of the undo history. Generated code calls it;
    /// apps use ``UndoHistory/group(_:_:)``.
    public func beginChange() { recorders.current?.beginChange() }

    /// Ends what ``beginChange()`` began.
    public func endChange() { recorders.current?.endChange() }

    /// As `find(_:wireIdentity:)` for generated code: an error is thrown by the next save or fetch.
    @_spi(Generated) public func linked<Object: Model>(_ type: Object.Type, wireIdentity: Object.WireIdentity)
        -> Object?
    {
        remembering { try records(type).find(wireIdentity: wireIdentity) }
    }

    // MARK: Attachments

    /// Lets a new object's attachments be found by their references.
    func adoptAttachments(of object: ManagedObject, _ plan: EntityPlan) {
        for column in plan.attachmentColumns {
            if let attachment = object.attachment(column) { base.files.adopt(attachment) }
        }
    }

    /// An object gets another attachment: the old one's bytes are kept for as long as that can be undone.
    func willReplace(_ old: Attachment?, by new: Attachment?) {
        if let new { base.files.adopt(new) }
        if let old, old.content.hasOwnBytes { unsaved.replacedAttachments.append(old) }
    }
}
