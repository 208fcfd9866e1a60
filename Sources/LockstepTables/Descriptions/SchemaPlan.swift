package import LockstepEvolution

/// The plans of a schema's entities, in the order of the schema. A generated schema has one.
///
/// It owns the entities, which find each other in it: whoever follows a relationship keeps it.
package final class SchemaPlan: Sendable {
    /// The structure that is stored and sent.
    package let structure: SchemaStructure
    /// Set once, at the end of the initializer, because the entities refer to each other by this plan.
    private nonisolated(unsafe) var plans: [EntityPlan] = []
    private let indexes: [String: Int]

    /// Makes the plan of a version whose models the app does not have.
    package convenience init(_ structure: SchemaStructure) { self.init(structure, types: SchemaTypes()) }

    package init(_ structure: SchemaStructure, types: SchemaTypes) {
        self.structure = structure
        let names = structure.entities.enumerated().map { ($1.name, $0) }
        indexes = Dictionary(names, uniquingKeysWith: { first, _ in first })
        plans = structure.entities.map(EntityPlanMaker(structure, types: types, for: self).plan)
    }

    /// The entity of a name; `nil` if there is none.
    package subscript(name: String) -> EntityPlan? { indexes[name].map { plans[$0] } }

    /// The index of an entity that another one names.
    func index(of name: String) -> Int {
        guard let index = indexes[name] else { preconditionFailure("The structure has no entity '\(name)'") }
        return index
    }

    /// The SQL that creates the tables, indexes and triggers, in the order of execution.
    package var statements: [String] { statements(of: [.tables, .triggers]) }

    /// The SQL that creates the triggers. It is needed whenever a store is opened, and that of the tables is not.
    package var triggers: [String] { statements(of: .triggers) }

    private func statements(of parts: SQLParts) -> [String] {
        sqlStatements(for: structure, dialect: .sqlite, parts: parts)
    }
}

extension SchemaPlan: RandomAccessCollection {
    package var startIndex: Int { plans.startIndex }
    package var endIndex: Int { plans.endIndex }
    package subscript(position: Int) -> EntityPlan { plans[position] }
}
