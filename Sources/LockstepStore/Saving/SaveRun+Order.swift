import GRDB
import LockstepEvolution

/// Writes that depend on each other.
extension SaveRun {
    /// Deletes records that a rule may protect from each other: dependent records first.
    func delete(_ objects: [ManagedObject], in database: Database) throws {
        var open = objects.filter { !Self.isProtected($0) } + objects.filter(Self.isProtected)
        while !open.isEmpty {
            let (denied, error) = try deleteIfAllowed(open, in: database)
            if let error, denied.count == open.count { throw error }
            // Chains of protected records are mostly in one order or the reverse.
            open = denied.reversed()
        }
    }

    /// Deletes what no rule currently protects.
    func deleteIfAllowed(
        _ objects: [ManagedObject], in database: Database
    ) throws -> (denied: [ManagedObject], error: StoreError?) {
        var denied: [ManagedObject] = []
        var firstError: StoreError?
        for object in objects {
            do { try delete(object, in: database) } catch let error as StoreError where error.code == .deleteDenied {
                denied.append(object)
                firstError = firstError ?? error
            }
        }
        return (denied, firstError)
    }

    private static func isProtected(_ object: ManagedObject) -> Bool {
        object.plan.relationships.contains { $0.onDelete == .deny }
    }

    /// Writes the changes of objects. If one takes a unique value that another one releases, or two swap values, it
    /// gets a placeholder until every other is written.
    func update(_ objects: [ManagedObject], in database: Database) throws {
        var refused: [ManagedObject] = []
        for object in objects {
            do { try update(object, in: database) } catch let refusal as StoreError where refusal.code == .notUnique {
                let columns = refusal.columns(of: object.plan).filter(object.hasChanged)
                guard !columns.isEmpty else { throw refusal }
                do { try setPlaceholders(object, columns: columns, in: database) } catch { throw refusal }
                refused.append(object)
            }
        }
        for object in refused { try update(object, in: database) }
    }

    /// Gives columns a unique value until the right one can be written.
    func setPlaceholders(_ object: ManagedObject, columns: [Int], in database: Database) throws {
        guard !columns.isEmpty else { return }
        let plan = object.plan
        let assignments = columns.map { column in
            let value = plan.columns[column].isOptional ? "NULL" : "randomblob(16)"
            return "\(SQLName.quoted(plan.columns[column].name)) = \(value)"
        }
        let sql = """
            UPDATE \(SQLName.quoted(plan.table)) SET \(assignments.joined(separator: ", ")) WHERE \(plan.keyCondition)
            """
        try run(sql, with: object.recordKey.values, table: plan.table, in: database, of: object, write: .update)
    }
}
