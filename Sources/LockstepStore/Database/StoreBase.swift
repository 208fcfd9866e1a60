import GRDB
import LockstepSystem

/// The state that a store and its contexts share.
final class StoreBase: Sendable {
    /// The schema's entities by their plans, in the order of the schema.
    let plans: SchemaPlan
    /// The connections that contexts read with. Before the writer, which is then released after them: as the last
    /// connection, it completes the file.
    let contextReaders: ContextReaders
    let writer: any DatabaseWriter
    /// Notices that the app is about to be suspended; `nil` if the configuration does not ask for it.
    let suspension: SuspensionWatch?
    /// Held by the library's own writes, such as merges, and by a save that waits for them.
    let backgroundWrites = AsyncLock()
    /// Ended when the store is closed.
    let signals = ChangeSignals()
    /// The merge policy of new contexts.
    let mergePolicy: MergePolicy
    let hub = ChangeHub()
    /// The values that other modules keep with the store, by type.
    let extensions = Locked<[ObjectIdentifier: any Sendable]>([:])
    let tracker: ChangeTracker
    /// The files with the bytes of attachments.
    let files: AttachmentFiles
    let findings: [StoreFinding]
    /// Whether the file still has the tables of this schema.
    let schemaWatch: SchemaWatch
    /// Notices what other processes save.
    let otherConnections: OtherConnections

    init(
        schema: SchemaDescription, writer: any DatabaseWriter, files: AttachmentFiles, mergePolicy: MergePolicy,
        suspension: SuspensionWatch? = nil
    ) throws {
        schemaWatch = SchemaWatch(fingerprint: schema.fingerprint)
        let plans = schema.plan
        self.plans = plans
        self.writer = writer
        contextReaders = ContextReaders(writer)
        self.suspension = suspension
        self.files = files
        self.mergePolicy = mergePolicy
        let tracker = ChangeTracker(plans: plans, hub: hub)
        self.tracker = tracker
        let otherConnections = OtherConnections()
        self.otherConnections = otherConnections
        findings = try StoreError.wrapping("opening the store") {
            try writer.writeWithoutTransaction { database in
                try tracker.install(in: database)
                _ = try otherConnections.haveCommitted(database)
                let unclaimed = try OutboxClaims(plans).findings(database)
                // A connection that only reads runs no triggers.
                if database.configuration.readonly { return unclaimed }
                try database.clearOutboxSuppression()
                let foreign = try ForeignTriggers(plans, in: database)
                return unclaimed + foreign.findings(plans)
            }
        }
        writer.add(transactionObserver: tracker, extent: .databaseLifetime)
    }
}
