/// The objects whose records have changed.
struct UpdatedRows {
    private var rows: Set<ObjectIdentifier> = []
    /// The only one, which is the usual case: comparing is faster than hashing.
    private var single: ObjectIdentifier?
    /// Whether any row may have changed.
    private(set) var isEveryRow = false

    var isEmpty: Bool { !isEveryRow && rows.isEmpty }

    func contains(_ row: ManagedObject) -> Bool {
        if isEveryRow { return true }
        if let single { return single == ObjectIdentifier(row) }
        return rows.contains(ObjectIdentifier(row))
    }

    mutating func insert(_ row: ManagedObject) {
        rows.insert(ObjectIdentifier(row))
        single = rows.count == 1 ? rows.first : nil
    }

    mutating func insertEveryRow() { isEveryRow = true }

    mutating func formUnion(_ other: UpdatedRows) {
        isEveryRow = isEveryRow || other.isEveryRow
        rows.formUnion(other.rows)
        single = rows.count == 1 ? rows.first : nil
    }
}
