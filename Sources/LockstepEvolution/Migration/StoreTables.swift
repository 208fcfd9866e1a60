/// The names of a store's own tables that others know, too.
package enum StoreTables {
    /// What a row of it says: changes are not recorded in the outbox.
    package static let quiet = "lockstep_quiet"
    /// What the file says about itself.
    package static let metadata = "lockstep_metadata"
}
