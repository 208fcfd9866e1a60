import LockstepStore

/// Compares what a device has before and after its file was opened by another version (V1 to V7, V9).
struct MigrationCheck {
    let device: String
    let former: JournalVersion
    let version: JournalVersion
    let before: DeviceSnapshot
    let after: DeviceSnapshot

    private typealias Place = DeviceSnapshot.Place
    private typealias Pending = DeviceSnapshot.Pending

    func run() throws {
        try checkRecords()
        for place in after.pending.keys.sorted() where before.pending[place] == nil {
            throw violation("V1: \(place) is pending, and nobody edited it")
        }
        for (place, pending) in before.pending.sorted(by: { $0.key < $1.key }) { try check(place, pending) }
        try checkLeftovers()
    }

    private func violation(_ text: String) -> VersionViolation {
        VersionViolation("\(device), version \(former.rawValue) to \(version.rawValue): \(text)")
    }

    private func step(_ json: JSONValue, _ collection: JournalCollection) -> JSONValue {
        version == former ? json : JournalSteps.record(json, of: collection, to: version)
    }

    /// Every record is there, as the history says.
    private func checkRecords() throws {
        for collection in JournalCollection.sent {
            let (old, new) = (before.records[collection] ?? [:], after.records[collection] ?? [:])
            for key in Set(old.keys).union(new.keys).sorted() {
                let expected = old[key].map { JournalSteps.canonical(step($0, collection)) }
                guard expected != new[key] else { continue }
                throw violation(
                    """
                    \(collection.rawValue)/\(key) is \(new[key].map(JournalSteps.text) ?? "not there") and should be \
                    \(expected.map(JournalSteps.text) ?? "not there")
                    """)
            }
        }
    }

    private func check(_ place: Place, _ old: Pending) throws {
        guard let new = after.pending[place] else {
            guard isSettled(place, old) else { throw violation("V5: \(place) is not pending any more") }
            return
        }
        guard !isSettled(place, old) || old.row == old.base else {
            throw violation("V2: \(place) is pending, and is as it was on the server")
        }
        guard new.change == old.change else {
            throw violation("V2: \(place) was a \(old.change), and is a \(new.change)")
        }
        guard new.sentBody == old.sentBody, new.idempotencyKey == old.idempotencyKey else {
            throw violation("V7: what was sent for \(place) is other than before")
        }
        try checkUnconfirmed(place, old, new)
        let base = old.base.map { JournalSteps.canonical(step($0, place.collection)) }
        guard base == new.base.map(JournalSteps.canonical) else {
            throw violation(
                """
                V2: the base of \(place) is \(new.base.map(JournalSteps.text) ?? "missing") and should be \
                \(base.map(JournalSteps.text) ?? "missing")
                """)
        }
        if place.collection == .entries, version != former, new.parkedStatus != nil {
            throw violation("V9: \(place) is still parked, and is another form of it")
        }
    }

    /// What was sent without a response follows the names and conversions, too: the server may have it (P4).
    private func checkUnconfirmed(_ place: Place, _ old: Pending, _ new: Pending) throws {
        let expected = Set(
            old.unconfirmed.map {
                version == former ? $0 : JournalSteps.record($0, of: place.collection, to: version, isWhole: false)
            }
        ).subtracting([[:]])
        guard new.unconfirmed != expected else { return }
        let (found, wanted) = (
            new.unconfirmed.map(JournalSteps.text).sorted(), expected.map(JournalSteps.text).sorted()
        )
        throw violation("P4: what was sent for \(place) is \(found), and should be \(wanted)")
    }

    /// Whether the step made the row equal to its base: a conversion, or the removal of all that was changed.
    private func isSettled(_ place: Place, _ old: Pending) -> Bool {
        guard old.change == .update, !old.hasMore, !old.isUnconfirmed, former < .third, version >= .third,
            let row = old.row, let base = old.base
        else { return false }
        return step(row, place.collection) == step(base, place.collection)
    }

    /// The pending values of the member that version 3 removes are kept.
    private func checkLeftovers() throws {
        var expected: [String] = before.leftovers.map(text)
        if former < .third, version >= .third {
            for (place, pending) in before.pending
            where place.collection == .entries && pending.change != .delete {
                let (value, base) = (pending.row?["weather"] ?? .null, pending.base?["weather"] ?? .null)
                if value != base { expected.append("Entry \(place.key) weather \(JournalSteps.text(value))") }
            }
        }
        let found = after.leftovers.map(text).sorted()
        guard found != expected.sorted() else { return }
        throw violation("V5: the leftovers are \(found), and should be \(expected.sorted())")
    }

    private func text(_ leftover: Leftover) -> String {
        "\(leftover.entity) \(leftover.record) \(leftover.member ?? "") \(JournalSteps.text(leftover.value ?? .null))"
    }
}
