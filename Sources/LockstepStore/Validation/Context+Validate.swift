extension Context {
    /// Everything that is wrong with what the next save would write, in the order in which it would say so; empty where
    /// nothing is.
    ///
    /// That is what was refused, what the models' own rules say (``Validatable``) and what does not keep to the schema:
    /// each error names entity, record, attribute and rule. Nothing is asked of the store, so an identity that another
    /// record has, or a delete that a rule denies, is only said by ``save()``. What the rules set is taken back. Called
    /// by a rule, it asks no rules.
    public func validate() -> [StoreError] {
        let refused = errors.countedRefusals.compactMap { $0.error as? StoreError }
        guard !activity.isValidating else { return refused }
        activity.isValidating = true
        defer { activity.isValidating = false }
        return recordingApart { step in
            defer { step.takeBack() }
            var validation = Validation(self)
            return refused + validation.problems(isFirstEnough: false)
        }
    }

    /// Asks the rules and checks the limits, before a save touches the database.
    func validateBeforeSave() throws {
        activity.isValidating = true
        defer { activity.isValidating = false }
        var validation = Validation(self)
        if let problem = validation.problems(isFirstEnough: true).first { throw problem }
    }
}

extension ManagedObject {
    /// Checks what the next save would check of this record: the model's own rule (``Validatable``), and the schema's
    /// limits and required values where it is new or changed. What the rule sets is taken back. Called by a rule, it
    /// does nothing: the save checks every record anyway.
    ///
    /// - Throws: `StoreError` (`validation`, `limit`, `missingValue`) that names entity, record, attribute and rule:
    ///   the first problem, the own rule's before the schema's.
    public final func validate() throws {
        guard recordState == .inserted || recordState == .changed, !context.activity.isValidating else { return }
        context.activity.isValidating = true
        defer { context.activity.isValidating = false }
        let problems = context.recordingApart { step in
            defer { step.takeBack() }
            return Validation.problems(of: self)
        }
        if let problem = problems.first { throw problem }
    }
}
