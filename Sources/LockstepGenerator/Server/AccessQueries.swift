import LockstepEvolution

/// Who asks, and which scopes a user reads and writes.
struct AccessQueries {
    let schema: ServerSchema

    /// The functions, in an order in which they can be created.
    func functions() -> [Code] {
        [user.statement] + typedUsers.map(\.statement) + [scopes(.read), scopes(.write)] + creation
            + schema.entities.compactMap(writers).map(\.statement)
    }

    // MARK: Who asks

    private var claim: Code {
        "(nullif(pg_catalog.current_setting('request.jwt.claims', TRUE), '')::jsonb ->> \(quoted: schema.userClaim))"
    }

    private var user: ServerFunction {
        ServerFunction(
            signature: "lockstep_user()", result: "text",
            comment: "-- The user of a request: what its token says. NULL for a request without one.",
            language: .sql, isDefiner: false, isStable: true, hasSearchPath: false, body: "    SELECT \(claim)")
    }

    /// The user as a value of the types of attributes that hold one, so that their indexes can be used.
    private var typedUsers: [ServerFunction] {
        KeyType.allCases.compactMap { type in
            guard let pattern = type.pattern, schema.userTypes.contains(type) else { return nil }
            return ServerFunction(
                signature: "lockstep_user_\(type.rawValue)()", result: "\(type.rawValue)",
                comment: "-- The same as \(type.rawValue); NULL if it is none.",
                language: .sql, isDefiner: false, isStable: true, hasSearchPath: false,
                body: """
                        SELECT CASE WHEN \(claim) ~ \(pattern)
                            THEN \(claim)::\(type.rawValue) END
                    """)
        }
    }

    static func user(as type: KeyType) -> Code {
        type == .text ? "lockstep_user()" : "lockstep_user_\(type.rawValue)()"
    }

    /// The variable that holds the user in a function that looks it up several times.
    private static func variable(of type: KeyType) -> Code { "user_\(type.rawValue)" }

    // MARK: Scopes

    /// Whether the user may create a record that is a scope of its own, where functions of the server decide.
    private var creation: [Code] {
        guard schema.hasCustomAccess else { return [] }
        return [
            toFillIn(
                "lockstep_creates", parameter: (name: "entity ", type: "text"), result: "boolean",
                query: "SELECT FALSE",
                comment: "-- Whether the user may create a record of an entity, if it is a scope of its own.")
        ]
    }

    /// A function that the server's owner writes: it is only made if there is none.
    private func toFillIn(
        _ name: Code, parameter: (name: Code, type: Code) = ("", ""), result: Code, query: Code, comment: Code
    ) -> Code {
        let body: Code = """
            BEGIN
                IF to_regprocedure('\(name)(\(parameter.type))') IS NULL THEN
                    CREATE FUNCTION \(name)(\(parameter.name)\(parameter.type)) RETURNS \(result)
                        LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS '\(query)';
                END IF;
            END
            """
        return """
            \(comment)
            -- Write what your server needs: it is not replaced.
            \(ServerFunction.block(body))
            """
    }

    enum Verb { case read, write }

    private func scopes(_ verb: Verb) -> Code {
        let (name, verbs): (Code, Code) =
            verb == .read ? ("lockstep_readable", "reads") : ("lockstep_writable", "writes")
        let comment: Code = "-- The scopes that the user \(verbs). One can be named several times."
        let none: Code = "SELECT NULL::text WHERE FALSE"
        if schema.hasCustomAccess {
            return toFillIn(name, result: "SETOF text", query: none, comment: comment)
        }
        let own = schema.entities.flatMap { ownScopes(of: $0, verb) }
        let queries = publicScope(verb) + userScopes + own.map(\.query)
        let users = KeyType.allCases.filter(schema.scopeUserTypes.union(own.map(\.userType)).contains)
        // The claims are read once.
        let declarations = users.map { type -> Code in
            "    \(Self.variable(of: type)) constant \(type.rawValue) := \(Self.user(as: type));"
        }
        return ServerFunction(
            signature: "\(name)()", result: "SETOF text", comment: comment, language: .plpgsql, isStable: true,
            settings: ["plan_cache_mode = force_generic_plan"],
            body: """
                \(users.isEmpty ? Code() : .lines(["DECLARE"] + declarations))
                BEGIN
                    RETURN QUERY \(queries.isEmpty ? none : Code.joined(queries, separator: "\n    UNION ALL "));
                END
                """
        ).statement
    }

    private func publicScope(_ verb: Verb) -> [Code] {
        guard verb == .read, schema.entities.contains(where: { $0.scope == .everyone }) else { return [] }
        return ["SELECT \(quoted: ServerEntity.everyone)"]
    }

    private var userScopes: [Code] {
        KeyType.allCases.filter(schema.scopeUserTypes.contains).map { type in
            let user = Self.variable(of: type)
            return "SELECT \(quoted: ServerEntity.userPrefix) || \(user) WHERE \(user) IS NOT NULL"
        }
    }

    private func ownScopes(of entity: ServerEntity, _ verb: Verb) -> [(query: Code, userType: KeyType)] {
        let rule = verb == .read ? entity.structure.readers : entity.structure.writers
        guard entity.scope == .own, case .users(let paths) = rule else { return [] }
        return paths.compactMap { path in
            AccessPathSteps(path, from: entity, in: schema).map { steps in
                let keys = steps.keys(of: Self.variable(of: steps.userType))
                return ("SELECT \(quoted: entity.scopePrefix) || \(keys)", steps.userType)
            }
        }
    }

    // MARK: Who writes a row

    /// Whether the user is among the writers of a row that its entity names, for rows whose scope does not decide it
    /// alone.
    private func writers(of entity: ServerEntity) -> ServerFunction? {
        guard case .users(let paths) = entity.structure.writers, !schema.hasCustomAccess,
            entity.checksWriters || entity.scope == .own
        else { return nil }
        let conditions = paths.compactMap { AccessPathSteps($0, from: entity, in: schema)?.leads(from: "r") }
        return ServerFunction(
            signature: "\(name: entity.object("writer"))(r \(name: entity.table))", result: "boolean",
            comment: "-- Whether the user is one of those who write a row of \(entity.table).",
            language: .plpgsql, isStable: true,
            body: """
                BEGIN
                    RETURN \(Code.joined(conditions.map { "coalesce(\($0), FALSE)" }, separator: "\n        OR "));
                END
                """)
    }

    /// The condition that the user reads a row.
    func mayRead(_ row: Code, of entity: ServerEntity) -> Code {
        // Otherwise, the policy of the destination's table hides what the user does not read.
        entity.hasScope(row, among: "lockstep_readable", isByHand: schema.hasCustomAccess)
            ?? parent(of: row, in: entity) { _, _ in nil } ?? "FALSE"
    }

    /// The condition that the user may write a row.
    ///
    /// - Parameter isNew: Whether the row does not exist yet, so that its own scope does not either.
    func mayWrite(_ row: Code, of entity: ServerEntity, isNew: Bool) -> Code {
        if isNew, entity.scope == .own {
            return schema.hasCustomAccess ? "lockstep_creates(\(quoted: entity.name))" : mayWriteRow(row, of: entity)
        }
        let scope = mayWriteScope(row, of: entity)
        guard !schema.hasCustomAccess, entity.checksWriters else { return scope ?? "FALSE" }
        let writers = mayWriteRow(row, of: entity)
        return scope.map { "\($0) AND \(writers)" } ?? writers
    }

    /// The condition that the entity names the user as a writer of a row.
    private func mayWriteRow(_ row: Code, of entity: ServerEntity) -> Code {
        switch entity.structure.writers {
        case .users: "\(name: entity.object("writer"))(\(row).*)"
        case .everyone: "lockstep_user() IS NOT NULL"
        case .nobody, nil: "FALSE"
        }
    }

    /// The condition that the user writes the scope of a row; `nil` if it is everybody's, and has no writers.
    private func mayWriteScope(_ row: Code, of entity: ServerEntity) -> Code? {
        if entity.scopeEnd.scope == .everyone, !schema.hasCustomAccess { return nil }
        return entity.hasScope(row, among: "lockstep_writable", isByHand: schema.hasCustomAccess)
            ?? parent(of: row, in: entity) { mayWriteScope($0, of: $1) }
    }

    /// The condition that the record that a row belongs to exists for the user, and satisfies another condition.
    private func parent(of row: Code, in entity: ServerEntity, where condition: (Code, ServerEntity) -> Code?) -> Code?
    {
        guard let (relationship, destination) = entity.scopeLink else { return nil }
        let next: Code = "p_\(destination.table.utf8.count)_\(row.bytes.count)"
        let conditions = [
            entity.refers(row, by: relationship, to: next, of: destination), condition(next, destination),
        ]
        return
            "EXISTS (SELECT FROM \(name: destination.table) \(next) WHERE \(Code.all(conditions.compactMap(\.self))))"
    }
}
