import LockstepEvolution

/// The function that applies one change to a table, with the rights of the user.
struct ApplyFunction {
    let entity: ServerEntity
    let schema: ServerSchema

    var function: ServerFunction {
        ServerFunction(
            signature: "\(name: entity.object("apply"))(op text, id text, members jsonb, expected bigint)",
            result: "integer",
            comment: """
                -- Applies a change to \(entity.table), and returns its status. The row is locked before its version is
                -- compared. A row that a policy hides from writing is refused, and one that it hides from reading is
                -- not there.
                """,
            language: .plpgsql, isDefiner: false,
            body: """
                BEGIN
                    \(parent)
                    IF $1 = 'create' THEN
                        INSERT INTO \(name: entity.table) (
                            \(Code.list(created.map { "\(name: $0.column)" }))
                        ) VALUES (
                            \(Code.list(created.map(\.value)))
                        );
                        \(links)
                        RETURN 201;
                    END IF;
                    PERFORM FROM \(name: entity.table) r WHERE \(entity.hasKey("r", equalTo: "$2"))\(lock);
                    IF NOT FOUND THEN
                        RETURN CASE WHEN lockstep_missing(\(quoted: entity.name), ARRAY[$2]) THEN 404 ELSE 403 END;
                    END IF;
                    IF $4 <> lockstep_version(\(quoted: entity.name), $2) THEN
                        RETURN 412;
                    END IF;
                    IF $1 = 'delete' THEN
                        DELETE FROM \(name: entity.table) r WHERE \(entity.hasKey("r", equalTo: "$2"));
                        RETURN CASE WHEN FOUND THEN 204 ELSE 403 END;
                    END IF;
                    \(update)
                    \(links)
                    RETURN 200;
                END
                """)
    }

    /// The policies for updates decide which rows can be locked; where there is none, no row could be.
    private var lock: Code {
        entity.structure.remote?.writes.contains(.update) == true ? " FOR UPDATE" : Code()
    }

    /// A record whose scope is that of another one needs this one, and that the user reads it. Otherwise, a policy
    /// would refuse it as if the user had no right to write it.
    private var parent: Code {
        guard let (relationship, destination) = entity.scopeLink, case .id(let paths, _) = relationship.wire else {
            return Code()
        }
        let keys = paths.map { "($3 #> \(Code.path($0)))" as Code }
        let list = Code.joined(keys, separator: ", ")
        let key: Code = keys.count == 1 ? list : "jsonb_build_array(\(list))"
        return """
            IF \(keys[0]) IS NOT NULL
                AND lockstep_missing(\(quoted: destination.name), ARRAY[\(destination.keyText(fromJSON: key))])
            THEN
                RETURN 424;
            END IF;
            """
    }

    // MARK: Values

    /// A column that devices write.
    private struct Written {
        let column: String
        let paths: [[String]]
        let form: ValueForm
        /// The value of a new record that lacks it; `nil` for none.
        let fallback: Code?
        let isKey: Bool

        /// The JSON of the value: under the first of its keys that is there.
        var json: Code {
            let values = paths.map { "($3 #> \(Code.path($0)))" as Code }
            return values.count == 1 ? values[0] : "coalesce(\(Code.joined(values, separator: ", ")))"
        }
    }

    private var written: [Written] {
        let keys = Set(entity.key.map(\.column))
        let attributes = entity.structure.attributes.compactMap { attribute -> Written? in
            guard let wire = attribute.wire, !wire.isReadOnly else { return nil }
            return Written(
                column: attribute.column, paths: [wire.path] + wire.formerPaths,
                form: ValueForm(attribute.type, format: wire.format, in: schema.structure),
                fallback: schema.lookup.newValue(of: attribute), isKey: keys.contains(attribute.column))
        }
        let links = entity.structure.relationships.flatMap { relationship -> [Written] in
            guard case .id(let paths, _) = relationship.wire, let destination = entity.destination(of: relationship)
            else { return [] }
            return zip(paths, zip(relationship.foreignKeyColumns, destination.key)).map { path, column in
                Written(
                    column: column.0, paths: [path], form: ValueForm(column.1.type), fallback: nil, isKey: false)
            }
        }
        return attributes + links
    }

    private var created: [(column: String, value: Code)] {
        let identity = zip(entity.key, entity.keyParts(ofText: "$2")).map { (column: $0.column, value: $1) }
        return identity
            + written.filter { !$0.isKey }.map { written in
                let value = written.form.value(fromJSON: written.json)
                guard let fallback = written.fallback else { return (written.column, value) }
                return (written.column, "CASE WHEN \(written.json) IS NULL THEN \(fallback) ELSE \(value) END")
            }
    }

    private var update: Code {
        let columns = written.filter { !$0.isKey }.map { written -> Code in
            let value = written.form.value(fromJSON: written.json)
            let present = written.form.present("r.\(name: written.column)")
            return "\(name: written.column) = CASE WHEN \(written.json) IS NULL THEN \(present) ELSE \(value) END"
        }
        if columns.isEmpty { return Code() }
        return """
            UPDATE \(name: entity.table) r SET
                \(Code.list(columns))
                WHERE \(entity.hasKey("r", equalTo: "$2"));
            """
    }

    // MARK: Lists

    /// Makes the links those of the lists that were sent.
    private var links: Code {
        .lines(
            entity.structure.relationships.compactMap { relationship in
                guard case .ids(let path, _) = relationship.wire,
                    let table = LinkTable(relationship, of: entity, in: schema),
                    let destination = entity.destination(of: relationship)
                else { return nil }
                let json: Code = "($3 #> \(Code.path(path)))"
                let list = LinkListUpdate(
                    table: table, entity: entity, memberType: destination.key[0].type,
                    isOptional: schema.lookup.inverse(of: relationship)?.isOptional ?? true)
                let member = destination.key[0].type.value("m.id")
                return """
                    IF jsonb_typeof(\(json)) = 'array' THEN
                        IF lockstep_missing(\(quoted: destination.name), ARRAY(
                            SELECT (\(member))::text FROM jsonb_array_elements_text(\(json)) AS m(id)
                        )) THEN
                            RETURN 424;
                        END IF;
                        \(list.statements(json))
                    END IF;
                    """
            })
    }
}

/// Replaces the links of a record.
private struct LinkListUpdate {
    let table: LinkTable
    let entity: ServerEntity
    let memberType: KeyType
    /// Whether a member can be without this record.
    let isOptional: Bool

    /// The condition that a link is one of the record.
    private var isOwn: Code { .all(zip(table.owner, entity.keyParts(ofText: "$2")).map { "l.\(name: $0) = \($1)" }) }

    func statements(_ json: Code) -> Code {
        let members: Code = """
            jsonb_array_elements_text(\(json)) WITH ORDINALITY AS m(id, position)
            """
        let member = memberType.value("m.id")
        guard table.isJoinTable else { return positions(of: members, identity: member) }
        let owner = Code.joined(table.owner.map { "\(name: $0)" }, separator: ", ")
        let key = Code.joined(entity.keyParts(ofText: "$2"), separator: ", ")
        let position: (column: Code, value: Code, update: Code) =
            table.position.map {
                (", \(name: $0)", ", m.position - 1", "DO UPDATE SET \(name: $0) = excluded.\(name: $0)")
            } ?? ("", "", "DO NOTHING")
        let removal: Code = """
            DELETE FROM \(name: table.table) l WHERE \(isOwn)
                AND l.\(name: table.member) NOT IN (SELECT \(member) FROM \(members));
            INSERT INTO \(name: table.table) (\(owner), \(name: table.member)\(position.column))
                SELECT \(key), \(member)\(position.value) FROM \(members)
                ON CONFLICT (\(owner), \(name: table.member)) \(position.update);
            """
        guard table.isSymmetric else { return removal }
        return .lines([
            removal,
            """
            DELETE FROM \(name: table.table) l WHERE l.\(name: table.member) = \(entity.key[0].type.value("$2"))
                AND l.\(name: table.owner[0]) NOT IN (SELECT \(member) FROM \(members));
            INSERT INTO \(name: table.table) (\(owner), \(name: table.member))
                SELECT \(member), \(key) FROM \(members) ON CONFLICT DO NOTHING;
            """,
        ])
    }

    /// The rows of the members have their positions, and whose members they are.
    private func positions(of members: Code, identity member: Code) -> Code {
        let owner = zip(table.owner, entity.keyParts(ofText: "$2")).map { "\(name: $0) = \($1)" as Code }
        let position = table.position.map { ["\(name: $0) = m.position - 1" as Code] } ?? []
        let empty = (table.owner + [table.position].compactMap(\.self)).map { "\(name: $0) = NULL" as Code }
        let removal: Code =
            isOptional
            ? """
            UPDATE \(name: table.table) l SET \(Code.joined(empty, separator: ", ")) WHERE \(isOwn)
                AND l.\(name: table.member) NOT IN (SELECT \(member) FROM \(members));
            """ : Code()
        return """
            \(removal)
            UPDATE \(name: table.table) l SET \(Code.joined(owner + position, separator: ", "))
                FROM \(members) WHERE l.\(name: table.member) = \(member);
            """
    }
}
