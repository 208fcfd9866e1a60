import LockstepEvolution

/// A generated schema in the form that the store uses.
public struct CompiledSchema: Sendable {
    package let plan: SchemaPlan

    package init(_ plan: SchemaPlan) { self.plan = plan }

    /// Compiles a generated schema.
    ///
    /// - Parameters:
    ///   - schema: The schema. Its ``StoreSchema/structure`` lists the entities in the order of
    ///     ``StoreSchema/entities``.
    ///   - types: The types of the app, by the attributes that have them, as `Entity.attribute`.
    ///   - sorting: The attributes that to-many relationships are sorted by, as `Entity.relationship`; those after a
    ///     minus sign, in descending order.
    ///   - unlisted: What a merge does to the unlisted members of relationships, where that is not the default:
    ///     `delete` or `unlink`.
    @_spi(Generated) public init<Schema: StoreSchema>(
        _ schema: Schema.Type, types: [String: any CustomAttribute.Type] = [:], sorting: [String: [String]] = [:],
        unlisted: [String: String] = [:]
    ) {
        do {
            let structure = try SchemaStructure(json: schema.structure)
            precondition(structure.entities.count == schema.entities.count, "The structure has other entities")
            let models = zip(structure.entities.map(\.name), schema.entities)
            plan = SchemaPlan(
                structure,
                types: SchemaTypes(
                    models: Dictionary(models, uniquingKeysWith: { first, _ in first }), custom: types,
                    sorting: sorting.mapValues { $0.map(SortDescription.init) },
                    unlisted: unlisted.mapValues { rule in
                        guard let rule = UnlistedRule(rawValue: rule) else { preconditionFailure("No rule '\(rule)'") }
                        return rule
                    }))
        } catch {
            preconditionFailure("The structure of \(schema.name) cannot be read; generate it again: \(error)")
        }
    }

    /// An entity of the schema.
    @_spi(Generated) public func entity(_ name: String) -> EntityDescription {
        guard let plan = plan[name] else { preconditionFailure("The schema has no entity '\(name)'") }
        return EntityDescription(plan)
    }
}
