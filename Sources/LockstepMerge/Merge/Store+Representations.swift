public import LockstepStore

extension Store {
    /// Merges representations from any source: a decoder, or code. The rules are the same as for JSON.
    ///
    /// Members that their JSON did not have are not changed. Of a representation that was created in code, every value
    /// counts, except for lists that are `nil`.
    ///
    /// ```swift
    /// let entries = try decoder.decode([EntryRepresentation].self, from: body)
    /// let summary = try await store.merge(entries)
    /// ```
    ///
    /// - Parameters:
    ///   - representations: The records. They are all that the server has in the scope, unless `options` states
    ///     otherwise.
    ///   - scope: The records that the server was asked for.
    ///   - options: How the records are merged. `payload` is ignored.
    /// - Returns: A summary of the merge. The index of a record is its index in the array.
    /// - Throws: `MergeError` if a record exceeds the schema's limits and `options` aborts the merge for it, or if the
    ///   store does not have the entity; `StoreError` if the store cannot be written; `CancellationError` if the task
    ///   is canceled. In each case nothing is changed.
    @discardableResult
    public func merge<Value: Representation>(
        _ representations: [Value], scope: MergeScope<Value.Object> = .all, options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await mergingPieces(Value.Object.self, scope: scope, options: options, from: 0) {
            run, cancellation, start, count in
            let intake = RepresentationIntake(
                run, count: representations.count, from: start, cancellation: cancellation, progress: options.progress)
            let piece = representations[start...].prefix(count)
            for value in piece { try intake.take(value) }
            return piece.endIndex < representations.count ? piece.endIndex : nil
        }
    }

    /// Merges the representations of a list of which some records could not be decoded.
    ///
    /// Those are read from their JSON, and handled as in a payload of JSON: an invalid record is among the summary's
    /// skipped records, or the first of them is thrown, depending on `options.invalidRecords`. If its identity can be
    /// read, it is not deleted.
    ///
    /// - Parameters:
    ///   - list: The records. They are all that the server has in the scope, unless `options` states otherwise.
    ///   - scope: The records that the server was asked for.
    ///   - options: How the records are merged. `payload` is ignored.
    /// - Returns: A summary of the merge. The index of a record is its index in the list.
    /// - Throws: The same errors as for an array of representations.
    @discardableResult
    public func merge<Object: Model>(
        _ list: LossyRepresentations<Object>, scope: MergeScope<Object> = .all, options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await mergingPieces(Object.self, scope: scope, options: options, from: 0) {
            run, cancellation, start, count in
            let intake = RepresentationIntake(
                run, count: list.elements.count, from: start, cancellation: cancellation, progress: options.progress)
            let piece = list.elements[start...].prefix(count)
            for element in piece {
                switch element {
                case .record(let value): try intake.take(value)
                case .invalid(_, let json): try intake.take(json)
                case .skipped(let record, let identity): try intake.skip(record, identity: identity)
                }
            }
            return piece.endIndex < list.elements.count ? piece.endIndex : nil
        }
    }
}
