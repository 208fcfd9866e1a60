/// Errors that occurred where nothing could be thrown. The next save or fetch throws them.
final class PendingErrors {
    private let recorders: ChangeRecorders
    /// An error of reading.
    private var readError: (any Error)?
    /// Changes of the app that could not be made.
    private(set) var refusals = Refusals()

    init(_ recorders: ChangeRecorders) { self.recorders = recorders }

    // MARK: Reading

    /// Runs `body`. If it throws, the next save or fetch throws that error.
    func remembering<Value>(_ body: () throws -> Value?) -> Value? {
        do { return try body() } catch {
            remember(error)
            return nil
        }
    }

    func remember(_ error: any Error) { readError = readError ?? error }

    func throwReadError() throws {
        guard let error = readError else { return }
        readError = nil
        throw error
    }

    // MARK: Refused changes

    func refuse(_ change: RefusedChange) {
        recorders.current?.willChangeRefusals(refusals)
        refusals.changes.append(change)
    }

    /// Forgets the refused changes of a relationship, because it was set again.
    func withdraw(of owner: ManagedObject, for relationship: Int, only other: ManagedObject? = nil) {
        guard !refusals.changes.isEmpty else { return }
        let former = refusals
        refusals.changes.removeAll { change in
            change.owner === owner && change.relationship == relationship && (other == nil || change.other === other)
        }
        if refusals.changes.count != former.changes.count { recorders.current?.willChangeRefusals(former) }
    }

    /// Records that the app has set a property of a deleted record. That cannot be saved, so the save throws.
    func noteLostChange(of object: ManagedObject, attribute: String) {
        guard refusals.lostChange == nil else { return }
        recorders.current?.willChangeRefusals(refusals)
        refusals.lostChange = StoreError(
            .recordGone, doing: "changing", entity: object.plan.name, record: object.recordKey.text,
            attribute: attribute, reason: "the record was deleted or never saved, so the new value is not kept",
            remedy: "Check `recordState` before you change a record that may be deleted. Saving again stores the rest.")
    }

    func restore(_ former: Refusals) { refusals = former }

    func clearRefusedChanges() { refusals.changes = [] }

    func clearLostChange() { refusals.lostChange = nil }

    func clear() {
        readError = nil
        refusals = Refusals()
    }

    /// The refused changes, without those of deleted records. They count again if the delete is undone.
    var countedRefusals: [RefusedChange] { refusals.changes.filter { $0.owner?.state != .deleted } }

    func throwRefusedChanges() throws { if let change = countedRefusals.first { throw change.error } }

    /// Throws it once, since setting the value again would not help.
    func throwLostChange() throws {
        guard let error = refusals.lostChange else { return }
        refusals.lostChange = nil
        throw error
    }
}

/// Changes that a context could not make, so that a save would store less than the app requested.
struct Refusals {
    var changes: [RefusedChange] = []
    /// The error for a change of a deleted record. The next save throws it.
    var lostChange: StoreError?
}

/// A change that was requested where nothing could be thrown.
struct RefusedChange {
    let error: any Error
    /// The record whose relationship was to change; `nil` for a delete, which only a rollback undoes.
    var owner: ManagedObject?
    var relationship = 0
    /// The record that was to be linked.
    var other: ManagedObject?
}
