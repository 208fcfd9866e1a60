import GRDB
import LockstepTables

/// A scope whose references were looked up in the database: which rows it has, and what its records lack.
struct ResolvedScope {
    /// The index of the entity in the `SchemaPlan`.
    let entity: Int
    let plan: EntityPlan
    /// The values for records that lack them, by column. Foreign keys are local keys.
    var fills: [Int: DatabaseValue] = [:]
    /// The SQL conditions that a row in scope meets; columns have no prefix.
    private(set) var conditions: [String] = []
    private(set) var arguments: [DatabaseValue] = []
    /// The links that the payload's records must have, if the scope is one end of a many to many.
    var link: ScopeLink?
    /// Why nothing can be deleted; empty if records can be deleted.
    private(set) var obstacles: [MergeNote] = []

    init(entity: Int, plan: EntityPlan) {
        self.entity = entity
        self.plan = plan
    }

    /// All conditions combined; `nil` if every row is in scope.
    var condition: String? { conditions.isEmpty ? nil : conditions.joined(separator: " AND ") }

    /// Whether rows in scope that the payload does not list may be deleted or unlinked.
    var allowsDeleting: Bool { obstacles.isEmpty }

    /// Whether the scope refers to a record that is not in the store, or to a value that cannot be read.
    var isUnresolved: Bool { obstacles.contains { $0.code == .unresolvedScope } }

    mutating func require(_ column: Int, value: DatabaseValue) {
        let name = SQLName.quoted(plan.columns[column].name)
        if value.isNull {
            conditions.append("\(name) IS NULL")
        } else {
            conditions.append("\(name) = ?")
            arguments.append(value)
        }
    }

    mutating func add(_ code: MergeNote.Code, text: String) {
        obstacles.append(MergeNote(code, entity: plan.name, text: text))
    }
}

/// The links of one owner by a many to many.
struct ScopeLink {
    /// The table, as seen from the owner.
    let join: JoinDescription
    /// The index of the owner's entity in the `SchemaPlan`.
    let owner: Int
    /// The index of the relationship in the owner's plan.
    let relationship: Int
    /// The owner's local key.
    let ownerKey: RecordKey
}
