/// The effect of one statement of a save on a record or on a link of a many-to-many relationship.
package enum RecordWrite {
    case insert, update, delete, link, unlink, reorder

    /// The operation in the text of an error: ``StoreError/operation``.
    package var operation: String {
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
