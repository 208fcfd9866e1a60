extension ManagedObjectContext {
    /// Adds a new object. Generated initializers call it.
    @_spi(Generated) public func insert<Object: Model>(_ object: Object) {
        precondition(object.context === self, "Insert a model into the context that it was created in.")
        guard object.state == .inserted, object.records == nil else { return }
        beginChange()
        defer { endChange() }
        recorders.current?.willInsert(object)
        unsaved.inserted.append(object)
        adoptAttachments(of: object, plan: Object.entity.plan)
        records(Object.self).insert(object)
        unsaved.didChange()
        observation?.didInsert(in: self)
    }

    /// Whether the object's record is deleted already, or will be by the next save.
    public func isDeleted(_ object: ManagedObject) -> Bool { object.state == .deleted }

    /// Deletes a record with the next save. The context shows the delete at once: it cascades to other records and
    /// clears links, as the schema's delete rules specify. If a rule denies the delete, the save throws.
    public func delete(_ object: ManagedObject) {
        guard object.context === self else { return }
        beginChange()
        defer { endChange() }
        ObjectDeletion(self).delete(object)
    }

    /// Records that the app has set a property of a deleted record, unless a delete is clearing its links.
    func noteLostChange(of object: ManagedObject, attribute: String) {
        if !activity.isDeleting { errors.noteLostChange(of: object, attribute: attribute) }
    }

    /// Makes all changes until the matching ``endChange()`` one step of the undo history. Generated code calls it; apps
    /// use ``UndoHistory/group(_:_:)``.
    @_spi(Generated) public func beginChange() {
        observation?.begin()
        recorders.current?.beginChange()
    }

    /// Ends what ``beginChange()`` began.
    @_spi(Generated) public func endChange() {
        recorders.current?.endChange()
        observation?.end(in: self)
    }

    /// The same as `find(_:wireIdentity:)`, for generated code: an error is thrown by the next save or fetch.
    @_spi(Generated) public func linked<Object: Model>(_ type: Object.Type, wireIdentity: Object.WireIdentity)
        -> Object?
    {
        remembering { try records(type).find(wireIdentity: wireIdentity) }
    }

    // MARK: Attachments

    /// Registers a new object's attachments, so that they are found by their references.
    func adoptAttachments(of object: ManagedObject, plan: EntityPlan) {
        for column in plan.attachmentColumns {
            if let attachment = object.attachment(column) { base.files.adopt(attachment) }
        }
    }

    /// Keeps the bytes of an attachment that is replaced, as long as that can be undone.
    func willReplace(_ old: FileAttachment?, by new: FileAttachment?) {
        if let new { base.files.adopt(new) }
        if let old, old.content.hasOwnBytes { unsaved.replacedAttachments.append(old) }
    }
}
