public import LockstepStore

extension Store {
    /// Merges representations, wherever they come from: any decoder, or code. The rules are those of merging JSON.
    ///
    /// What their JSON did not have is left alone; of a representation made in code every value counts, but for lists
    /// that are `nil`.
    ///
    /// ```swift
    /// let entries = try decoder.decode([EntryRepresentation].self, from: body)
    /// let summary = try await store.merge(entries)
    /// ```
    ///
    /// - Parameters:
    ///   - representations: The records; they are all that the server has in the scope, unless `options` says
    ///     otherwise.
    ///   - scope: What the server was asked for.
    ///   - options: How they are merged. `payload` means nothing here.
    /// - Returns: What was done. A record's index is its place in the list.
    /// - Throws: `MergeError` where a record breaks the schema's limits and is to be refused then, or the store has no
    ///   such entity; `StoreError` where the store cannot be written; `CancellationError` where the task is cancelled.
    ///   In each case nothing is changed.
    @discardableResult
    public func merge<Value: Representation>(
        _ representations: [Value], scope: MergeScope<Value.Object> = .all, options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await merging(Value.Object.self, scope, options) { run, cancellation in
            let intake = RepresentationIntake(run, count: representations.count, cancellation, options.progress)
            for value in representations { try intake.take(value) }
        }
    }

    /// Merges the representations of a list some of whose records could not be decoded.
    ///
    /// Those are in the summary's skipped records, or the first of them is thrown, as `options.invalidRecords` says.
    /// Where their identity could be read they are not deleted.
    ///
    /// - Parameters:
    ///   - list: The records; they are all that the server has in the scope, unless `options` says otherwise.
    ///   - scope: What the server was asked for.
    ///   - options: How they are merged. `payload` means nothing here.
    /// - Returns: What was done. A record's index is its place in the list.
    /// - Throws: As for an array of representations.
    @discardableResult
    public func merge<Object: Model>(
        _ list: LossyRepresentations<Object>, scope: MergeScope<Object> = .all, options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await merging(Object.self, scope, options) { run, cancellation in
            let intake = RepresentationIntake(run, count: list.elements.count, cancellation, options.progress)
            for element in list.elements {
                switch element {
                case .record(let value): try intake.take(value)
                case .skipped(let record, let identity): try intake.skip(record, identity)
                }
            }
        }
    }
}
