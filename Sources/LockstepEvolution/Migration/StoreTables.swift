/// The names of a store's own tables that others know, too.
package enum StoreTables {
    /// While this table has a row, changes are not recorded in the outbox.
    package static let quiet = "lockstep_quiet"
    /// The metadata of the file.
    package static let metadata = "lockstep_metadata"
}
