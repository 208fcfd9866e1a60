extension StoreError {
    /// A value that violates the schema.
    init(_ violation: LimitViolation, of column: Int, of object: ManagedObject, doing operation: String) {
        let rule = violation.schemaRule.map { " (\($0))" } ?? ""
        self.init(
            violation == .missing ? .missingValue : .limit, doing: operation, entity: object.plan.name,
            record: object.recordKey.text, attribute: object.plan.columns[column].memberName,
            reason: violation.description + rule, remedy: "Set another value, or roll back.")
    }

    /// An error of a model's own rule.
    init(rule error: any Error, of object: ManagedObject, doing operation: String) {
        let own = error as? ValidationError
        self.init(
            .validation, doing: operation, entity: object.plan.name, record: object.recordKey.text,
            attribute: own?.attribute, reason: own?.reason ?? String(describing: error),
            remedy: "Set another value, or roll back.", underlyingError: error)
    }

    /// A rule that calls `save()`.
    static var saveInRule: StoreError {
        StoreError(
            .validation, doing: "saving", reason: "a model's own rule called `save()` during a save",
            remedy: "Only check and set values in `validateForSave()`. Its changes are saved.")
    }

    /// Rules that endlessly create new records for each other.
    init(endlessRulesOf object: ManagedObject, doing operation: String) {
        self.init(
            .validation, doing: operation, entity: object.plan.name, record: object.recordKey.text,
            reason:
                "the rules of newly created records have created new records \(Validation.roundsLimit) times in a row",
            remedy: "Create a record in `validateForSave()` only if it is missing.")
    }
}
