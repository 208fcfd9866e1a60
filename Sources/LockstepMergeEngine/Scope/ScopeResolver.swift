import GRDB
import LockstepTables

/// Looks up what a scope refers to, inside the merge's transaction and before anything is written.
struct ScopeResolver {
    let plans: SchemaPlan
    let database: Database
    /// Returns a reserved local key for a record that is not in the store, by the index of its entity and its identity
    /// on the server; `nil` if no key is reserved.
    var reservedKey: (_ entity: Int, _ remote: DatabaseValue) throws -> DatabaseValue? = { _, _ in nil }

    /// - Parameter entity: The index in `plans` of the entity whose records are merged.
    func resolve(
        _ conditions: [ScopeCondition], of entity: Int, completeness: MergeOptions.Completeness = .automatic
    ) throws -> ResolvedScope {
        var scope = ResolvedScope(entity: entity, plan: plans[entity])
        for condition in conditions {
            switch condition {
            case .children(let owner, let key, let path): try addChildren(of: owner, key: key, at: path, to: &scope)
            case .column(let name, let value): addColumn(name, value: value, to: &scope)
            case .query(let parameters):
                var reader = QueryParameterReader(resolver: self, completeness: completeness)
                try reader.read(parameters, into: &scope)
            }
        }
        try checkParents(of: &scope)
        if completeness == .partial {
            scope.add(.incompletePayload, text: "the payload is not complete, so nothing was deleted")
        }
        return scope
    }

    private func addColumn(_ name: String, value: DatabaseValue, to scope: inout ResolvedScope) {
        guard let column = scope.plan.columns.firstIndex(where: { $0.name == name }) else {
            return scope.add(.unresolvedScope, text: "there is no column “\(name)”, so nothing was deleted")
        }
        add([column: value], to: &scope)
    }

    /// Adds values that rows in scope have, and that records get if they lack them.
    func add(_ values: [Int: DatabaseValue], to scope: inout ResolvedScope) {
        for (column, value) in values.sorted(by: { $0.key < $1.key }) {
            if let other = scope.fills[column], !other.isIdentical(to: value) {
                scope.add(
                    .unresolvedScope,
                    text: "“\(scope.plan.columns[column].memberName)” has two values, so nothing was deleted")
            }
            scope.require(column, value: value)
            scope.fills[column] = value
        }
    }

    // MARK: Owners

    private func addChildren(
        of owner: any EntityType.Type, key: [DatabaseValue], at path: [String], to scope: inout ResolvedScope
    ) throws {
        guard let index = plans.firstIndex(where: { $0 === owner.entity.plan }), path.count == 1,
            let relationship = plans[index].relationship(named: path[0])
        else {
            return scope.add(
                .unresolvedScope,
                text: """
                    “\(path.joined(separator: "."))” is not a relationship of \(owner.entity.name), so nothing was deleted
                    """)
        }
        let identity = RecordKey(key)
        guard let found = try find(key, of: index) else {
            return scope.add(
                .unresolvedScope,
                text: "\(plans[index].name) “\(identity.text)” is not in the store, so nothing was deleted")
        }
        if !found.isStored {
            scope.add(
                .unresolvedScope,
                text: "\(plans[index].name) “\(identity.text)” is not in the store yet, so nothing was deleted")
        }
        try addMembers(of: found.key, at: index, for: relationship, to: &scope)
    }

    private func addMembers(
        of owner: RecordKey, at index: Int, for relationship: Int, to scope: inout ResolvedScope
    ) throws {
        let description = plans[index].relationships[relationship]
        switch description.kind {
        case .toMany, .toOneInverse:
            guard let inverse = description.inverse, let back = scope.plan.relationship(named: inverse) else { return }
            let values = zip(scope.plan.foreignKeys[back], owner.values).map { ($0, $1) }
            add(Dictionary(values, uniquingKeysWith: { first, _ in first }), to: &scope)
        case .manyToMany(let join) where !join.isToOne:
            if scope.link != nil {
                return scope.add(
                    .unresolvedScope, text: "the scope has two owners by many to many, so nothing was deleted")
            }
            scope.link = ScopeLink(join: join, owner: index, relationship: relationship, ownerKey: owner)
        case .toOne, .manyToMany:
            scope.add(
                .cannotDelete,
                text: "\(plans[index].name).\(description.name) is a to-one: "
                    + "the record that it no longer refers to was kept"
            )
        }
    }

    /// The local key of a record, and whether the record is in the store; `nil` if it is unknown.
    ///
    /// - Parameter identity: Its identity on the server.
    func find(_ identity: [DatabaseValue], of entity: Int) throws -> (key: RecordKey, isStored: Bool)? {
        let plan = plans[entity]
        guard plan.remoteColumn != nil else {
            guard plan.hasIdentity, identity.count == plan.keyColumns.count else { return nil }
            return (RecordKey(identity), try isStored(identity, of: plan))
        }
        guard let value = identity.first, !value.isNull else { return nil }
        let names = plan.identityColumns.map { SQLName.quoted(plan.columns[$0].name) }
        let sql = "SELECT \(names[0]) FROM \(SQLName.quoted(plan.table)) WHERE \(names[1]) = ?"
        if let key = try RawStatement(sql, in: database).firstValue([value]) { return (RecordKey(key), true) }
        return try reservedKey(entity, value).map { (RecordKey($0), false) }
    }

    private func isStored(_ key: [DatabaseValue], of plan: EntityPlan) throws -> Bool {
        let sql = "SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(plan.keyCondition)"
        return try RawStatement(sql, in: database).firstValue(key) != nil
    }

    /// Makes the scope unresolved if a foreign key refers to a record that is not in the store. A foreign key of which
    /// only a part is known narrows the scope, but does not provide values: records have all of it or none.
    private func checkParents(of scope: inout ResolvedScope) throws {
        for (relationship, columns) in scope.plan.foreignKeys.enumerated() where !columns.isEmpty {
            let values = columns.map { scope.fills[$0] }
            let known = values.compactMap { $0 }
            if known.isEmpty { continue }
            guard known.count == columns.count else {
                for column in columns { scope.fills[column] = nil }
                continue
            }
            let description = scope.plan.relationships[relationship]
            let destination = description.destination
            if scope.isUnresolved || known.contains(where: \.isNull) { continue }
            if try !isStored(known, of: destination) {
                scope.add(
                    .unresolvedScope,
                    text: "\(destination.name) “\(RecordKey(known).text)” is not in the store, so nothing was deleted")
            }
        }
        // An identity is never provided: a record without one is skipped (Rules.md, M4).
        for column in scope.plan.keyColumns { scope.fills[column] = nil }
        if let remote = scope.plan.remoteColumn { scope.fills[remote] = nil }
    }
}
