extension InspectionReport {
    /// The report with the lists of one entity only. The findings stay those of the whole store: an error of another
    /// entity is one, too.
    func restricted(to options: InspectionOptions) -> InspectionReport {
        guard options.entity != nil else { return self }
        var report = self
        report.entities = entities?.filter { options.isIncluded($0.name) }
        report.otherTables = otherTables.map { _ in [] }
        report.outbox = outbox.map { outbox in
            Outbox(outbox.changes.filter { options.isIncluded($0.entity) }, isDisabled: outbox.isDisabled)
        }
        report.sync = sync?.restricted(to: options)
        report.conflicts = conflicts?.filter { options.isIncluded($0.entity) }
        report.leftovers = leftovers?.filter { options.isIncluded($0.entity) }
        return report
    }
}

extension InspectionReport.SyncState {
    fileprivate func restricted(to options: InspectionOptions) -> Self {
        func own(_ counts: [InspectionReport.Count]) -> [InspectionReport.Count] {
            counts.filter { options.isIncluded($0.entity) }
        }
        return InspectionReport.SyncState(
            pause: pause, collections: collections.filter { options.isIncluded($0.entity) },
            waitingLinks: waitingLinks.filter { options.isIncluded($0.entity) }, awaitedRecords: own(awaitedRecords),
            versions: own(versions), membersWithoutIdentity: own(membersWithoutIdentity))
    }
}

extension InspectionReport.WaitingLink {
    /// The entity of the owner.
    fileprivate var entity: String { String(relationship.prefix { $0 != "." }) }
}
