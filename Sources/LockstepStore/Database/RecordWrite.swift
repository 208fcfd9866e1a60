/// What one statement of a save does to a record or to a link of a many to many.
enum RecordWrite {
    case insert, update, delete, link, unlink, reorder

    /// What happens to a row of the table that is written.
    var event: RowWrite.Event {
        switch self {
        case .insert, .link: .insert
        case .update, .reorder: .update
        case .delete, .unlink: .delete
        }
    }

    /// What was being done, in the words of an error: ``StoreError/operation``.
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
