extension Context {
    /// Everything that is wrong with what the next save would write, in the order in which it would say so; empty where
    /// nothing is.
    ///
    /// That is what was refused, what the models' own rules say (``Validatable``) and what does not keep to the schema:
    /// each error names entity, record, attribute and rule. Nothing is asked of the store, so an identity that another
    /// record has, or a delete that a rule denies, is only said by ``save()``. What the rules set is taken back.
    public func validate() -> [StoreError] {
        let refused = refusedChanges.filter { $0.owner?.recordState != .deleted }.compactMap { $0.error as? StoreError }
        return recordingApart { step in
            defer { step.takeBack() }
            var validation = Validation(self)
            return refused + validation.problems(isFirstEnough: false)
        }
    }

    /// Asks the rules and checks the limits, before a save touches the database.
    func validateBeforeSave() throws {
        var validation = Validation(self)
        if let problem = validation.problems(isFirstEnough: true).first { throw problem }
    }
}

extension ManagedObject {
    /// Checks what the next save would check of this record: the model's own rule (``Validatable``), and the schema's
    /// limits and required values where it is new or changed. What the rule sets is taken back.
    ///
    /// - Throws: `StoreError` (`validation`, `limit`, `missingValue`) that names entity, record, attribute and rule: the
    ///   first problem, the own rule's before the schema's.
    public final func validate() throws {
        guard recordState == .inserted || recordState == .changed else { return }
        let problems = context.recordingApart { step in
            defer { step.takeBack() }
            return Validation.problems(of: self)
        }
        if let problem = problems.first { throw problem }
    }
}
