import GRDB
import LockstepSystem

extension Store {
    /// Reads what is in the store, while it is in use. Nothing is changed.
    ///
    /// - Throws: `StoreError` if not even the description can be read; `CancellationError`.
    package func inspection(_ options: InspectionOptions = InspectionOptions()) async throws -> InspectionReport {
        var file = InspectionReport.File()
        if case .file(let url) = location { file = InspectionReport.File(url) }
        let report = Locked<InspectionReport?>(nil)
        do {
            return try await reading(InspectedFile.operation) { [file, files = base.files] database in
                let read = try InspectionReader(database, options).report(file, files: files)
                report.withLock { $0 = read }
                return read
            }
        } catch {
            // SQLite reports damage that it has found again when the transaction ends. What was read stays.
            guard let read = report.withLock({ $0 }) else { throw error }
            return read
        }
    }
}
