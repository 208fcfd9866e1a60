extension ManagedObjectContext {
    /// Returns all errors that the next save would report before writing, in the same order; empty if there are none.
    ///
    /// These are refused changes, errors of the models' own rules (``Validatable``) and violations of the schema. Each
    /// error has the entity, record, attribute and rule. It does not query the store, so an identity that another
    /// record has, or a delete that a rule denies, is only reported by `save()`. What the rules set is undone. If a
    /// rule calls it, it runs no rules.
    public func validate() -> [StoreError] {
        let refused = errors.countedRefusals.compactMap { $0.error as? StoreError }
        guard !activity.isValidating else { return refused }
        activity.isValidating = true
        defer { activity.isValidating = false }
        return recordingApart { step in
            defer { step.revert() }
            var validation = Validation(self)
            return refused + validation.problems(isFirstEnough: false)
        }
    }

    /// Runs the rules and checks the limits, before a save accesses the database.
    func validateBeforeSave() throws {
        activity.isValidating = true
        defer { activity.isValidating = false }
        var validation = Validation(self)
        if let problem = validation.problems(isFirstEnough: true).first { throw problem }
    }
}

extension ManagedObject {
    /// Validates this record as the next save would: the model's own rule (``Validatable``), and the schema's limits
    /// and required values if it is new or changed. What the rule sets is undone. If a rule calls it, it does nothing,
    /// since the save checks every record anyway.
    ///
    /// - Throws: `StoreError` (`validation`, `limit`, `missingValue`) with the entity, record, attribute and rule: the
    ///   first problem, that of the model's own rule before those of the schema.
    public final func validate() throws {
        guard state == .inserted || state == .changed, !context.activity.isValidating else { return }
        context.activity.isValidating = true
        defer { context.activity.isValidating = false }
        let problems = context.recordingApart { step in
            defer { step.revert() }
            return Validation.problems(of: self)
        }
        if let problem = problems.first { throw problem }
    }
}
