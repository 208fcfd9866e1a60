import LockstepEvolution

/// The tables that a path to users reads after that of its first entity.
struct AccessPathSteps {
    private let entity: ServerEntity
    private var steps: [Step] = []
    /// The type of the attribute at the end.
    let userType: KeyType
    /// The table and the column at the end, in which the user is looked up.
    let end: (table: String, column: String)

    private struct Step {
        let table: String
        let alias: Code
        /// The columns that are equal: of the step before, and of this one.
        let columns: [(before: String, own: String)]
    }

    init?(_ path: AccessPath, from entity: ServerEntity, in schema: ServerSchema) {
        self.entity = entity
        var current = entity.structure
        for name in path.relationships {
            guard let relationship = current.relationship(name),
                let destination = schema.structure.entity(relationship.destination)
            else { return nil }
            for (table, columns) in schema.tables(from: current, along: relationship, to: destination) {
                steps.append(Step(table: table, alias: "t\(steps.count + 1)", columns: columns))
            }
            current = destination
        }
        guard let attribute = current.attribute(path.attribute) else { return nil }
        userType = KeyType(attribute.type, in: schema.structure)
        end = (current.table, attribute.column)
    }

    /// The tables that are read beside that of the first entity.
    var tables: [String] { steps.map(\.table) }

    /// Selects the keys of the records that lead to a user: what follows a `SELECT`.
    func keys(of user: Code) -> Code {
        let key = entity.key[0].column
        // The first table is not read if the second one has its key.
        if let first = steps.first, first.columns.count == 1, first.columns[0].before == key {
            let column: Code = "\(first.alias).\(name: first.columns[0].own)"
            return "\(column) FROM \(joined()) WHERE \(holds(user, at: first.alias))"
        }
        let others = steps.isEmpty ? Code() : " JOIN \(joined(after: "t0"))"
        return "t0.\(name: key) FROM \(name: entity.table) t0\(others) WHERE \(holds(user, at: "t0"))"
    }

    /// The condition that a row of the first entity leads to the user who asks.
    func leads(from row: Code) -> Code {
        let user = AccessQueries.user(as: userType)
        guard let first = steps.first else { return holds(user, at: row) }
        return "EXISTS (SELECT FROM \(joined()) WHERE \(condition(first, after: row)) AND \(holds(user, at: row)))"
    }

    /// The condition that the row at the end has a user.
    private func holds(_ user: Code, at first: Code) -> Code {
        let row = steps.last?.alias ?? first
        return "\(row).\(name: end.column) = \(user)"
    }

    /// The tables of the steps, joined.
    ///
    /// - Parameter before: The row that the first of them is joined to; `nil` if a condition does that.
    private func joined(after before: Code? = nil) -> Code {
        var before = before
        let tables = steps.map { step -> Code in
            defer { before = step.alias }
            let table: Code = "\(name: step.table) \(step.alias)"
            return before.map { "\(table) ON \(condition(step, after: $0))" } ?? table
        }
        return Code.joined(tables, separator: " JOIN ")
    }

    private func condition(_ step: Step, after row: Code) -> Code {
        .all(step.columns.map { "\(step.alias).\(name: $0.own) = \(row).\(name: $0.before)" })
    }
}
