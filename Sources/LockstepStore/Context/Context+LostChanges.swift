extension Context {
    /// Notes that the app has set something of a record that is deleted: that cannot be saved, and the save says so.
    func noteLostChange(of object: ManagedObject, attribute: String) {
        guard !isDeleting, lostChange == nil else { return }
        changeRecorder?.willChangeRefusals(Refusals(of: self))
        lostChange = StoreError(
            .recordGone, doing: "changing", entity: object.plan.name, record: object.recordKey.text,
            attribute: attribute, reason: "the record is deleted, or was never saved: what was set is not kept",
            remedy: "Ask `recordState` before a record is changed that may be gone. Saving again stores the rest.")
    }

    /// Throws it once: setting it again would not help.
    func throwLostChange() throws {
        guard let error = lostChange else { return }
        lostChange = nil
        throw error
    }
}
