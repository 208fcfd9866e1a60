import GRDB
package import LockstepStore
import LockstepSystem

extension Store {
    /// Reads the contents of the store while it is in use, and changes nothing. Records are named as by
    /// ``disclosedIdentities``.
    ///
    /// - Throws: `StoreError` if not even the description can be read; `CancellationError`.
    package func inspection(_ options: InspectionOptions = InspectionOptions()) async throws -> InspectionReport {
        var (options, file) = (options, InspectionReport.File())
        options.salt = disclosedIdentities.salt
        if case .file(let url) = location { file = InspectionReport.File(url) }
        let report = Locked<InspectionReport?>(nil)
        do {
            return try await reading(InspectedFile.operation) { [options, file, files = attachmentFiles] database in
                let read = try InspectionReader(database, options: options).report(file, files: files)
                report.withLock { $0 = read }
                return read
            }
        } catch {
            // When the transaction ends, SQLite reports damage again. What was read is kept.
            guard let read = report.withLock({ $0 }) else { throw error }
            return read
        }
    }
}
