import GRDB

/// The state of an object in its context, and its values in the columns that a step changes.
struct ObjectState {
    var recordState: RecordState
    var originalValues: [OriginalValue]
    /// Whether it is the registered object of its key in the identity map.
    var isRegistered: Bool
    /// Whether it is a stored record that the next save deletes.
    var isPendingDelete: Bool
    var values = ValueRow([:])

    /// The current state of an object, with the values of some columns.
    init(of object: ManagedObject, columns: [Int] = []) {
        recordState = object.state
        originalValues = object.originalValues
        isRegistered = object.isRegistered
        isPendingDelete = object.state == .deleted && object.records?.deletedObjects[object.recordKey] === object
        values = ValueRow(of: object, columns: columns)
    }

    private init() {
        recordState = .deleted
        originalValues = []
        isRegistered = false
        isPendingDelete = false
    }

    /// The state of an object that does not exist yet.
    static let absent = ObjectState()

    var isAbsent: Bool { recordState == .deleted && !isPendingDelete }

    /// Restores an object, except for its positions in the context's lists and maps.
    func restore(_ object: ManagedObject) {
        object.isLoading = true
        defer { object.isLoading = false }
        let row = values.reader
        for column in values.columns { object.load(column, from: row) }
        object.state = recordState
        object.originalValues = originalValues
    }
}
