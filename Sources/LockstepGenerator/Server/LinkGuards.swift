import LockstepEvolution

/// Rules of the changes of a user that policies cannot have, because they see only one of the two rows of an update.
struct LinkGuards {
    let schema: ServerSchema
    let queries: AccessQueries

    func statements() -> [Code] {
        schema.entities.compactMap { entity in
            let rules = links(of: entity) + owners(of: entity)
            guard !rules.isEmpty else { return nil }
            let function = ServerFunction(
                signature: "\(name: entity.object("guard"))()", result: "trigger",
                comment: """
                    -- A user links rows of \(entity.table) only to records that the user reads, and gives away only
                    -- what is the user's own. It is for users: the owner of the table is not restricted.
                    """,
                language: .plpgsql, isDefiner: false,
                body: """
                    BEGIN
                        IF row_security_active(TG_RELID) THEN
                            \(Code.lines(rules))
                        END IF;
                        RETURN NEW;
                    END
                    """)
            return """
                \(function.statement)

                CREATE OR REPLACE TRIGGER lockstep_guard BEFORE INSERT OR UPDATE ON \(name: entity.table)
                    FOR EACH ROW EXECUTE FUNCTION \(name: entity.object("guard"))();
                """
        }
    }

    /// The links that are not those to the record whose scope a row is in.
    private func links(of entity: ServerEntity) -> [Code] {
        entity.structure.relationships.compactMap { relationship in
            guard !relationship.foreignKeyColumns.isEmpty, entity.scope != .relationship(relationship.name),
                let destination = schema.entity(relationship.destination)
            else { return nil }
            let key = Code.joined(relationship.foreignKeyColumns.map { "NEW.\(name: $0)" }, separator: ", ")
            let former = Code.joined(relationship.foreignKeyColumns.map { "OLD.\(name: $0)" }, separator: ", ")
            let isThere = entity.refers("NEW", by: relationship, to: "d", of: destination)
            let inverse = schema.lookup.inverse(of: relationship)
            let isListed = inverse.map { schema.carries($0, of: destination) } ?? false
            // What lists this row becomes another one by it.
            let listing: Code = """
                IF NOT EXISTS (
                    SELECT FROM \(name: destination.table) d WHERE \(isThere)
                        AND \(queries.mayWrite("d", of: destination, isNew: false))
                ) THEN
                    RAISE insufficient_privilege USING MESSAGE = 'the user may not write the record that lists it';
                END IF;
                """
            let first: Code = "NEW.\(name: relationship.foreignKeyColumns[0])"
            return """
                IF ROW(\(key)) IS DISTINCT FROM ROW(\(former)) AND \(first) IS NOT NULL THEN
                    IF NOT EXISTS (SELECT FROM \(name: destination.table) d WHERE \(isThere)) THEN
                        RAISE foreign_key_violation USING MESSAGE = 'a record that it refers to is not there';
                    END IF;
                    \(isListed ? listing : Code())
                END IF;
                """
        }
    }

    /// The attributes that make a user a writer of a scope: others who write it do not take it over.
    private func owners(of entity: ServerEntity) -> [Code] {
        guard entity.scope == .own, !schema.hasCustomAccess, case .users(let paths) = entity.structure.writers else {
            return []
        }
        return paths.filter(\.relationships.isEmpty).compactMap { path in
            guard let attribute = entity.structure.attribute(path.attribute) else { return nil }
            let user = AccessQueries.user(as: KeyType(attribute.type, in: schema.structure))
            let (new, old): (Code, Code) = ("NEW.\(name: attribute.column)", "OLD.\(name: attribute.column)")
            let message = "only the user in '\(path.attribute)' gives it away"
            return """
                IF TG_OP = 'UPDATE' AND \(new) IS DISTINCT FROM \(old) AND \(old) IS DISTINCT FROM \(user) THEN
                    RAISE insufficient_privilege USING MESSAGE = \(quoted: message);
                END IF;
                """
        }
    }
}
