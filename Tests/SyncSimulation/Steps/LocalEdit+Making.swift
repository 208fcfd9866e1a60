import Forest
import Foundation
import LockstepStore
import LockstepSync
import Museum
import OfflineTasks

extension World {
    // MARK: By SQL

    static func write(_ edits: [LocalEdit], _ store: Store) async throws {
        try await store.writer.write { database in
            for edit in edits { try edit.execute(database) }
        }
    }

    // MARK: By models

    static func save(_ edits: [LocalEdit], _ store: Store, _ domain: Domain) async throws {
        try await store.perform { context in
            for edit in edits { try edit.make(edit.entity.type, context) }
            try context.save()
        }
    }
}

extension LocalEdit {
    fileprivate func execute(_ database: Database) throws {
        let table = SQLName.quoted(entity.table)
        let isRow = "\(SQLName.quoted(entity.keyName)) = ?"
        switch kind {
        case .insert:
            let names = [entity.keyName] + values.map(\.column)
            let marks = names.map { _ in "?" }.joined(separator: ", ")
            try database.execute(
                sql: "INSERT INTO \(table) (\(names.map(SQLName.quoted).joined(separator: ", "))) VALUES (\(marks))",
                arguments: StatementArguments([key] + values.map(\.value)))
        case .update:
            let assignments = values.map { "\(SQLName.quoted($0.column)) = ?" }.joined(separator: ", ")
            try database.execute(
                sql: "UPDATE \(table) SET \(assignments) WHERE \(isRow)",
                arguments: StatementArguments(values.map(\.value) + [key]))
        case .delete: try database.execute(sql: "DELETE FROM \(table) WHERE \(isRow)", arguments: [key])
        case .link(let list, let member, let isAdded):
            let columns = [list.join.sourceColumns[0], list.join.destinationColumns[0]].map(SQLName.quoted)
            let isLink = columns.map { "\($0) = ?" }.joined(separator: " AND ")
            let sql =
                isAdded
                ? "INSERT OR IGNORE INTO \(SQLName.quoted(list.join.table)) (\(columns.joined(separator: ", "))) VALUES (?, ?)"
                : "DELETE FROM \(SQLName.quoted(list.join.table)) WHERE \(isLink)"
            try database.execute(sql: sql, arguments: [key, member])
        }
    }

    fileprivate func make<Object: Model>(_ type: Object.Type, _ context: Context) throws {
        if case .insert = kind {
            var json: JSONValue = [:]
            for value in values { json[value.key] = value.json }
            if entity.isServerMade { return try makeWithLocalKey(json, context) }
            let own = entity.plan.columns[entity.plan.keyColumns[0]].wire?.path.first ?? "id"
            json[own] = DomainEntity.json(key: key)
            guard let made = Object(representation: try Self.decoded(json, type), context: context) else { return }
            _ = made
            return
        }
        let own = RecordKey(key)
        guard let object = try context.fetch(Object.all()).first(where: { $0.recordKey == own }) else { return }
        switch kind {
        case .insert: break
        case .delete: context.delete(object)
        case .update:
            var json = try JSONValue(json: JSONEncoder().encode(object.representation))
            for key in entity.links.map(\.key) + entity.lists.map(\.key) { json[key] = nil }
            for value in values { json[value.key] = value.json }
            object.update(from: try Self.decoded(json, type))
        case .link(let list, let member, let isAdded):
            var json = try JSONValue(json: JSONEncoder().encode(object.representation))
            var members: [JSONValue] = []
            if case .array(let known)? = json[list.key] { members = known }
            members.removeAll { $0 == DomainEntity.json(key: member) }
            if isAdded { members.append(DomainEntity.json(key: member)) }
            json[list.key] = .array(members)
            object.update(from: try Self.decoded(json, type))
        }
    }

    /// A representation has no key that the device makes.
    private func makeWithLocalKey(_ json: JSONValue, _ context: Context) throws {
        guard let key = UUID.fromDatabaseValue(key) else { return }
        switch entity.name {
        case "Mark":
            Mark(localID: key, text: "", context: context).update(from: try Self.decoded(json, Mark.self))
        case "Loan":
            Loan(localID: key, title: "", context: context).update(from: try Self.decoded(json, Loan.self))
        default:
            OfflineTasks.Task(localID: key, title: "", context: context)
                .update(from: try Self.decoded(json, OfflineTasks.Task.self))
        }
    }

    private static func decoded<Object: Model>(_ json: JSONValue, _ type: Object.Type) throws -> Object.Representation {
        try JSONDecoder().decode(Object.Representation.self, from: json.json())
    }
}
