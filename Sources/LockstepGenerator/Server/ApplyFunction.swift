import LockstepEvolution

/// The function that applies changes of a kind to a table, with the rights of the user.
struct ApplyFunction {
    let entity: ServerEntity
    let schema: ServerSchema

    /// The changes as rows: the keys of records, and what is sent of them.
    private static let changes: Code = "unnest($2, $3) AS m(id, members)"

    var function: ServerFunction {
        let key = entity.hasKey("r", equalTo: "m.id", among: "$2")
        return ServerFunction(
            signature: "\(name: entity.object("apply"))(text, text[], jsonb[], bigint[])",
            result: "integer",
            comment: """
                -- Applies changes to different records of \(entity.table), all by the same operation, and returns
                -- NULL, or the status of one that is refused. Rows are locked before their versions are compared. A row
                -- that a policy hides from writing is refused, and one that it hides from reading is not there.
                """,
            language: .plpgsql, isDefiner: false,
            body: """
                BEGIN
                    \(parent)
                    IF $1 = 'create' THEN
                        INSERT INTO \(name: entity.table) (
                            \(Code.list(created.map { "\(name: $0.column)" }))
                        ) SELECT
                            \(Code.list(created.map(\.value)))
                            FROM \(Self.changes);
                    ELSE
                        IF (SELECT count(*) FROM (
                            SELECT FROM \(name: entity.table) r JOIN unnest($2) AS m(id) ON \(key)
                                ORDER BY \(entity.keyColumns("r"))\(lock)
                        ) r) < cardinality($2) THEN
                            RETURN CASE WHEN \(isMissing(entity, ids: "$2")) THEN 404 ELSE 403 END;
                        END IF;
                        IF EXISTS (
                            SELECT FROM unnest($4, lockstep_version(\(quoted: entity.name), $2)) AS v(expected, present)
                            WHERE v.expected <> v.present
                        ) THEN
                            RETURN 412;
                        END IF;
                        IF $1 = 'delete' THEN
                            DELETE FROM \(name: entity.table) r USING unnest($2) AS m(id) WHERE \(key);
                            RETURN CASE WHEN EXISTS (
                                SELECT FROM \(name: entity.table) r JOIN unnest($2) AS m(id) ON \(key)
                            ) THEN 403 END;
                        END IF;
                        \(update)
                    END IF;
                    \(links)
                    RETURN NULL;
                END
                """)
    }

    /// The condition that one of some records does not exist, or that the user may not read it.
    private func isMissing(_ entity: ServerEntity, ids: Code) -> Code {
        "array_position(lockstep_version(\(quoted: entity.name), \(ids)), NULL) IS NOT NULL"
    }

    /// The policies for updates decide which rows can be locked; where there is none, no row could be.
    private var lock: Code {
        entity.structure.remote?.writes.contains(.update) == true ? " FOR UPDATE OF r" : Code()
    }

    /// A record whose scope is that of another one needs this one, and that the user reads it. Otherwise, a policy
    /// would refuse it as if the user had no right to write it.
    private var parent: Code {
        guard let (relationship, destination) = entity.scopeLink, case .id(let paths, _) = relationship.wire else {
            return Code()
        }
        let keys = paths.map { Code.member($0, of: "m.members") }
        let list = Code.joined(keys, separator: ", ")
        let key = destination.keyText(fromJSON: keys.count == 1 ? list : "jsonb_build_array(\(list))")
        let ids: Code = """
            ARRAY(
                    SELECT DISTINCT \(key) FROM \(Self.changes) WHERE \(keys[0]) IS NOT NULL
                )
            """
        return """
            IF \(isMissing(destination, ids: ids)) THEN
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
            let values = paths.map { Code.member($0, of: "m.members") }
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
        let identity = zip(entity.key, entity.keyParts(ofText: "m.id")).map { (column: $0.column, value: $1) }
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
                FROM \(Self.changes) WHERE \(entity.hasKey("r", equalTo: "m.id", among: "$2"));
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
                let list = LinkListUpdate(
                    table: table, entity: entity, memberType: destination.key[0].type,
                    isOptional: schema.lookup.inverse(of: relationship)?.isOptional ?? true,
                    changes: Self.changes, json: .member(path, of: "m.members"))
                let ids: Code = "ARRAY(SELECT DISTINCT (\(list.memberKey))::text FROM \(list.members))"
                return """
                    IF EXISTS (SELECT FROM \(Self.changes) WHERE \(list.isSent)) THEN
                        IF \(isMissing(destination, ids: ids)) THEN
                            RETURN 424;
                        END IF;
                        \(list.statements)
                    END IF;
                    """
            })
    }
}

/// Replaces the links of records.
private struct LinkListUpdate {
    let table: LinkTable
    let entity: ServerEntity
    let memberType: KeyType
    /// Whether a member can be without such a record.
    let isOptional: Bool
    /// The changes as rows.
    let changes: Code
    /// The JSON of a change's list.
    let json: Code

    /// The condition that a change has the list.
    var isSent: Code { "jsonb_typeof(\(json)) = 'array'" }

    private var elements: Code { "jsonb_array_elements_text(CASE WHEN \(isSent) THEN \(json) END)" }

    /// The members of all lists, with their positions.
    var members: Code {
        "\(changes) CROSS JOIN LATERAL \(elements) WITH ORDINALITY AS e(id, position)"
    }

    var memberKey: Code { memberType.value("e.id") }

    /// The condition that a link belongs to a list that was sent, and that it is not in it.
    private func isRemoved(of columns: [String], member: String) -> Code {
        let isOwn = zip(columns, entity.keyParts(ofText: "m.id")).map { column, part -> Code in
            ServerEntity.isEqual("l.\(name: column)", to: part, of: "unnest($2) AS m(id)")
        }
        return .all(
            isOwn + [isSent, "l.\(name: member) NOT IN (SELECT \(memberKey) FROM \(elements) AS e(id))"])
    }

    var statements: Code {
        guard table.isJoinTable else { return positions }
        let owner = Code.joined(table.owner.map { "\(name: $0)" }, separator: ", ")
        let key = Code.joined(entity.keyParts(ofText: "m.id"), separator: ", ")
        let position: (column: Code, value: Code, update: Code) =
            table.position.map {
                (", \(name: $0)", ", e.position - 1", "DO UPDATE SET \(name: $0) = excluded.\(name: $0)")
            } ?? ("", "", "DO NOTHING")
        let replacement: Code = """
            DELETE FROM \(name: table.table) l USING \(changes)
                WHERE \(isRemoved(of: table.owner, member: table.member));
            INSERT INTO \(name: table.table) (\(owner), \(name: table.member)\(position.column))
                SELECT \(key), \(memberKey)\(position.value) FROM \(members)
                ON CONFLICT (\(owner), \(name: table.member)) \(position.update);
            """
        guard table.isSymmetric else { return replacement }
        return .lines([
            replacement,
            """
            DELETE FROM \(name: table.table) l USING \(changes)
                WHERE \(isRemoved(of: [table.member], member: table.owner[0]));
            INSERT INTO \(name: table.table) (\(owner), \(name: table.member))
                SELECT \(memberKey), \(key) FROM \(members) ON CONFLICT DO NOTHING;
            """,
        ])
    }

    /// The rows of the members have their positions, and whose members they are. Of several lists, the last counts.
    private var positions: Code {
        let owner = zip(table.owner, entity.keyParts(ofText: "e.owner")).map { "\(name: $0) = \($1)" as Code }
        let position = table.position.map { ["\(name: $0) = e.position - 1" as Code] } ?? []
        let empty = (table.owner + [table.position].compactMap(\.self)).map { "\(name: $0) = NULL" as Code }
        let removal: Code =
            isOptional
            ? """
            UPDATE \(name: table.table) l SET \(Code.joined(empty, separator: ", "))
                FROM \(changes) WHERE \(isRemoved(of: table.owner, member: table.member));
            """ : Code()
        return """
            \(removal)
            UPDATE \(name: table.table) l SET \(Code.joined(owner + position, separator: ", "))
                FROM (
                    SELECT DISTINCT ON (\(memberKey)) m.id AS owner, e.id, e.position
                    FROM unnest($2, $3) WITH ORDINALITY AS m(id, members, n)
                        CROSS JOIN LATERAL \(elements) WITH ORDINALITY AS e(id, position)
                    ORDER BY \(memberKey), m.n DESC, e.position
                ) e WHERE \(ServerEntity.isEqual("l.\(name: table.member)", to: memberKey, of: members));
            """
    }
}
