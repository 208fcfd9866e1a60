package import LockstepEvolution
import LockstepSystem

/// The plans of a schema's entities, in the order of the schema, with what follows from all of them. A generated schema
/// has one.
package final class SchemaPlan: Sendable {
    /// The structure that is stored and sent; `nil` if the entities were described by hand.
    package let structure: SchemaStructure?
    /// Set once, at the end of the initializer, because the entities refer to each other by this plan.
    private nonisolated(unsafe) var plans: [EntityPlan] = []
    private let indexes: [String: Int]
    /// The statements of entities that were described by hand.
    private let handWritten: [String]
    private let facts = Locked<[ObjectIdentifier: any Sendable]>([:])

    private init(
        _ names: [String], structure: SchemaStructure?, statements: [String] = [], plans: (SchemaPlan) -> [EntityPlan]
    ) {
        self.structure = structure
        indexes = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        handWritten = statements
        self.plans = plans(self)
    }

    /// Makes the plan of a version whose models the app does not have.
    package convenience init(_ structure: SchemaStructure) { self.init(structure, types: SchemaTypes()) }

    convenience init(_ structure: SchemaStructure, types: SchemaTypes) {
        self.init(structure.entities.map(\.name), structure: structure) { schema in
            let maker = EntityPlanMaker(
                structure: structure, lookup: SchemaLookup(structure), types: types, schema: schema)
            return structure.entities.map(maker.plan)
        }
    }

    /// Makes a plan of entities that were described by hand.
    package convenience init(_ plans: [EntityPlan], statements: [String] = []) {
        self.init(plans.map(\.name), structure: nil, statements: statements) { _ in plans }
    }

    /// The entity of a name; `nil` if there is none.
    package subscript(name: String) -> EntityPlan? { indexes[name].map { plans[$0] } }

    /// A reference from one entity to another.
    func reference(to name: String, type: (any EntityType.Type)?) -> EntityReference {
        guard let index = indexes[name] else { preconditionFailure("The structure has no entity '\(name)'") }
        return EntityReference(index, in: self, type: type)
    }

    /// The SQL that creates the tables, indexes and triggers, in the order of execution.
    package var statements: [String] { statements(of: [.tables, .triggers]) }

    /// The SQL that creates the triggers. It is needed whenever a store is opened, and that of the tables is not.
    package var triggers: [String] { statements(of: .triggers) }

    private func statements(of parts: SQLParts) -> [String] {
        structure.map { sqlStatements(for: $0, dialect: .sqlite, parts: parts) } ?? handWritten
    }

    /// Returns a fact that follows from the plan, computed when it is needed first. There is one fact of each type.
    func fact<Fact: Sendable>(_ compute: (SchemaPlan) -> Fact) -> Fact {
        let type = ObjectIdentifier(Fact.self)
        if let known = facts.withLock({ $0[type] }) as? Fact { return known }
        let fact = compute(self)
        facts.withLock { $0[type] = fact }
        return fact
    }
}

extension SchemaPlan: RandomAccessCollection {
    package var startIndex: Int { plans.startIndex }
    package var endIndex: Int { plans.endIndex }
    package subscript(position: Int) -> EntityPlan { plans[position] }
}
