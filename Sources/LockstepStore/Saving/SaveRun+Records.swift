import GRDB

/// The writes of one record.
extension SaveRun {
    func insertNew(_ database: Database) throws {
        let inserted = context.unsaved.inserted
        guard let creations = try creationStatements(database) else {
            return try inserted.forEachBorrowed { object in
                if object.state == .inserted { try insert(object, in: database) }
            }
        }
        var latest: (plan: EntityPlan, creation: Statement?)?
        try database.withoutTriggers {
            try inserted.forEachBorrowed { object in
                guard object.state == .inserted else { return }
                try insert(object, in: database)
                let plan = object.plan
                if latest?.plan !== plan { latest = (plan, creations[ObjectIdentifier(plan)]) }
                if let creation = latest?.creation { try recordCreation(of: object, by: creation, in: database) }
            }
        }
    }

    /// The statements that record many new records in the outbox, by their entities' plans, without those that are not
    /// recorded; `nil` if the triggers are to do that.
    private func creationStatements(_ database: Database) throws -> [ObjectIdentifier: Statement]? {
        guard context.unsaved.inserted.count >= InsertTriggers.fewestRows,
            try !database.isOutboxSuppressed()
        else { return nil }
        var plans: [ObjectIdentifier: EntityPlan] = [:]
        var latest: EntityPlan?
        context.unsaved.inserted.forEachBorrowed { object in
            if object.state != .inserted || latest === object.plan { return }
            latest = object.plan
            plans[ObjectIdentifier(object.plan)] = object.plan
        }
        var statements: [ObjectIdentifier: Statement] = [:]
        for plan in plans.values {
            let triggers = try InsertTriggers(of: plan, in: database)
            guard triggers.areOutboxOnly else { return nil }
            switch triggers.creation {
            case .notRecorded: break
            case .statement(let sql): statements[ObjectIdentifier(plan)] = try database.cachedStatement(sql: sql)
            case .byTriggers: return nil
            }
        }
        // GRDB and the tracker learn of the triggers while these are enabled.
        for plan in plans.values {
            _ = try insertion(into: plan, in: database)
            try note(RowWrite(table: plan.table, event: .insert), in: database)
        }
        return statements
    }

    /// Records a new record in the outbox.
    private func recordCreation(of object: ManagedObject, by creation: Statement, in database: Database) throws {
        var writer = RowWriter(creation.sqliteStatement, plan: object.plan)
        for column in object.plan.keyColumns { writer.take(column, of: object) }
        try finish(creation, in: database, of: object, write: .insert)
    }

    private func insert(_ object: ManagedObject, in database: Database) throws {
        let plan = object.plan
        let statement = try insertion(into: plan, in: database)
        var writer = RowWriter(statement.sqliteStatement, plan: plan)
        for column in plan.columns.indices { writer.take(column, of: object) }
        try check(writer, of: object, write: .insert)
        try step(statement, in: database, of: object, write: .insert, table: plan.table)
    }

    private func insertion(into plan: EntityPlan, in database: Database) throws -> Statement {
        if let insertion, insertion.plan === plan { return insertion.statement }
        let statement = try database.cachedStatement(sql: plan.insertSQL)
        insertion = (plan, statement)
        tracker.noteInsertions(into: plan.table)
        return statement
    }

    /// Writes the changes of an object, without the foreign keys that were written already.
    func update(_ object: ManagedObject, in database: Database) throws {
        let moved = movedColumns[ObjectIdentifier(object)] ?? []
        let columns = object.plan.columns.indices.filter { object.hasChanged($0) && !moved.contains($0) }
        try update(object, columns: columns, in: database)
    }

    func update(_ object: ManagedObject, columns: [Int], in database: Database) throws {
        guard !columns.isEmpty else { return }
        let plan = object.plan
        let statement = try database.cachedStatement(sql: plan.updateSQL(columns))
        var writer = RowWriter(statement.sqliteStatement, plan: plan)
        for column in columns { writer.take(column, of: object) }
        for column in plan.keyColumns { writer.take(column, of: object) }
        try check(writer, of: object, write: .update)
        let count = try tracker.expecting(object.recordKey, of: plan) {
            try run(statement, in: database, of: object, write: .update, table: plan.table)
        }
        if count == 0 { try updateGone(object, in: database) }
    }

    /// Applies the merge policy to a changed record that was deleted elsewhere.
    private func updateGone(_ object: ManagedObject, in database: Database) throws {
        switch context.mergePolicy {
        case .contextWins:
            try insert(object, in: database)
            outcome.hasRestored = true
            return
        case .storeWins:
            outcome.gone.append(object)
            return
        case .error: break
        }
        let plan = object.plan
        throw StoreError(
            .recordGone, doing: RecordWrite.update.operation, entity: plan.name, record: object.recordKey.text,
            reason: "it was deleted meanwhile",
            remedy: """
                Call `refresh(_:keepingChanges: false)` to let it be deleted here too, or set `mergePolicy` to \
                `contextWins` to insert it again; or roll back.
                """)
    }

    /// Deletes a record, after its many-to-many links.
    func delete(_ object: ManagedObject, in database: Database) throws {
        for description in object.plan.relationships {
            guard case .manyToMany(let join) = description.kind else { continue }
            let table = SQLName.quoted(join.table)
            try run(
                "DELETE FROM \(table) WHERE \(SQLName.condition(join.sourceColumns))",
                with: object.recordKey.values,
                table: join.table, in: database, of: object, write: .delete)
        }
        try run(
            object.plan.deleteSQL, with: object.recordKey.values, table: object.plan.table, in: database,
            of: object, write: .delete)
    }
}
