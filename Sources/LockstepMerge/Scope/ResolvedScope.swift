import GRDB
import LockstepStore

/// A scope, with what it names looked up in the database: which rows it has, and what its records lack.
struct ResolvedScope {
    /// The entity's place in `Store.plans`.
    let entity: Int
    let plan: EntityPlan
    /// The values that records get which lack them, by column. Foreign keys are the local ones.
    var fills: [Int: DatabaseValue] = [:]
    /// The conditions that a row in scope meets, by SQL; the columns have no prefix.
    private(set) var conditions: [String] = []
    private(set) var arguments: [DatabaseValue] = []
    /// The links that the payload's records are to have, where the scope is one end of a many to many.
    var link: ScopeLink?
    /// Why nothing can be deleted; none where it can.
    private(set) var obstacles: [MergeNote] = []

    init(entity: Int, plan: EntityPlan) {
        self.entity = entity
        self.plan = plan
    }

    /// The condition of ``conditions`` in one; `nil` where every row is in scope.
    var condition: String? { conditions.isEmpty ? nil : conditions.joined(separator: " AND ") }

    /// Whether rows in scope that the payload does not list may be deleted, or unlinked.
    var allowsDeleting: Bool { obstacles.isEmpty }

    /// Whether the scope names something that is not here, or cannot be read.
    var isUnresolved: Bool { obstacles.contains { $0.code == .unresolvedScope } }

    mutating func require(_ column: Int, _ value: DatabaseValue) {
        let name = SQLName.quoted(plan.columns[column].name)
        if value.isNull {
            conditions.append("\(name) IS NULL")
        } else {
            conditions.append("\(name) = ?")
            arguments.append(value)
        }
    }

    mutating func add(_ code: MergeNote.Code, _ text: String) {
        obstacles.append(MergeNote(code, entity: plan.name, text))
    }
}

/// The links of one owner by a many to many.
struct ScopeLink {
    /// The table, seen from the owner.
    let join: JoinDescription
    /// The owner's entity, by its place in `Store.plans`.
    let owner: Int
    /// The relationship, by its place in the owner's plan.
    let relationship: Int
    /// The owner's key, the local one.
    let ownerKey: RecordKey
}
