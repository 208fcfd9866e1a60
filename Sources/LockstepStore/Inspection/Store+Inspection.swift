import GRDB

extension Store {
    /// Reads what is in the store, while it is in use. Nothing is changed.
    ///
    /// - Throws: `StoreError` if not even the description can be read; `CancellationError`.
    package func inspection(_ options: InspectionOptions = InspectionOptions()) async throws -> InspectionReport {
        var file = InspectionReport.File()
        if case .file(let url) = location { file = InspectionReport.File(url) }
        return try await reading(InspectedFile.operation) { [file, files = base.files] database in
            try InspectionReader(database, options).report(file, files: files)
        }
    }
}
