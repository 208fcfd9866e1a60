/// What went wrong where nothing could be thrown: the next save, or the next fetch, throws it.
final class PendingErrors {
    private let recorders: ChangeRecorders
    /// What could not be read.
    private var readError: (any Error)?
    /// What could not be changed as the app has asked.
    private(set) var refusals = Refusals()

    init(_ recorders: ChangeRecorders) { self.recorders = recorders }

    // MARK: Reading

    /// Runs `body`; what it throws is remembered and thrown by the next save or fetch.
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

    /// Forgets what was refused of a relationship, because it was set again.
    func withdraw(of owner: ManagedObject, _ relationship: Int, only other: ManagedObject? = nil) {
        guard !refusals.changes.isEmpty else { return }
        let former = refusals
        refusals.changes.removeAll { change in
            change.owner === owner && change.relationship == relationship && (other == nil || change.other === other)
        }
        if refusals.changes.count != former.changes.count { recorders.current?.willChangeRefusals(former) }
    }

    /// Notes that the app has set something of a record that is deleted: that cannot be saved, and the save says so.
    func noteLostChange(of object: ManagedObject, attribute: String) {
        guard refusals.lostChange == nil else { return }
        recorders.current?.willChangeRefusals(refusals)
        refusals.lostChange = StoreError(
            .recordGone, doing: "changing", entity: object.plan.name, record: object.recordKey.text,
            attribute: attribute, reason: "the record is deleted, or was never saved: what was set is not kept",
            remedy: "Ask `recordState` before a record is changed that may be gone. Saving again stores the rest.")
    }

    func restore(_ former: Refusals) { refusals = former }

    func clearRefusedChanges() { refusals.changes = [] }

    func clearLostChange() { refusals.lostChange = nil }

    func clear() {
        readError = nil
        refusals = Refusals()
    }

    /// Those of deleted records do not count; they do again if the delete is taken back.
    var countedRefusals: [RefusedChange] { refusals.changes.filter { $0.owner?.recordState != .deleted } }

    func throwRefusedChanges() throws { if let change = countedRefusals.first { throw change.error } }

    /// Throws it once: setting it again would not help.
    func throwLostChange() throws {
        guard let error = refusals.lostChange else { return }
        refusals.lostChange = nil
        throw error
    }
}

/// What was asked of a context and could not be noted, so that a save would store less than that.
struct Refusals {
    var changes: [RefusedChange] = []
    /// What was set of a record that is deleted; the next save throws it.
    var lostChange: StoreError?
}

/// Something that was asked for where nothing could be thrown.
struct RefusedChange {
    let error: any Error
    /// The record whose relationship it was; `nil` for a delete, which only a rollback takes back.
    var owner: ManagedObject?
    var relationship = 0
    /// The record that was to be linked.
    var other: ManagedObject?
}
