extension StoreError {
    /// A value that does not keep to the schema.
    init(_ violation: LimitViolation, of column: Int, of object: ManagedObject, doing operation: String) {
        let rule = violation.schemaRule.map { " (\($0))" } ?? ""
        self.init(
            violation == .missing ? .missingValue : .limit, doing: operation, entity: object.plan.name,
            record: object.recordKey.text, attribute: object.plan.columns[column].memberName,
            reason: violation.description + rule, remedy: "Set another value, or roll back.")
    }

    /// What a model's own rule threw.
    init(rule error: any Error, of object: ManagedObject, doing operation: String) {
        let own = error as? ValidationError
        self.init(
            .validation, doing: operation, entity: object.plan.name, record: object.recordKey.text,
            attribute: own?.attribute, reason: own?.reason ?? String(describing: error),
            remedy: "Set another value, or roll back.", underlyingError: error)
    }

    /// A rule that saves.
    static var saveInRule: StoreError {
        StoreError(
            .validation, doing: "saving", reason: "a model's own rule saves, while it is asked for a save",
            remedy: "Only check and set values in `validateForSave()`; what it changes is saved.")
    }

    /// Rules that make each other records without end.
    init(endlessRulesOf object: ManagedObject, doing operation: String) {
        self.init(
            .validation, doing: operation, entity: object.plan.name, record: object.recordKey.text,
            reason:
                "the rules of records that other rules made have made new records \(Validation.roundsLimit) times over",
            remedy: "Let `validateForSave()` make a record only where it is missing.")
    }
}
