/// The effect of one statement of a save on a record or on a link of a many-to-many relationship.
enum RecordWrite {
    case insert, update, delete, link, unlink, reorder

    /// The event for the row of the written table.
    var event: RowWrite.Event {
        switch self {
        case .insert, .link: .insert
        case .update, .reorder: .update
        case .delete, .unlink: .delete
        }
    }

    /// The operation in the text of an error: ``StoreError/operation``.
    var operation: String {
        switch self {
        case .insert: "inserting"
        case .update: "changing"
        case .delete: "deleting"
        case .link: "linking"
        case .unlink: "unlinking"
        case .reorder: "ordering"
        }
    }
}
