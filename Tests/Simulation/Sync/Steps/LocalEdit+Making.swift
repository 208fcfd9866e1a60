import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import OfflineTasks
import ServerSamples

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
            // Both directions of a symmetric link are written together.
            if isAdded, list.join.isToOne {
                try database.execute(sql: list.join.makeRoomSQL, arguments: [key, member])
            }
            let pairs = list.join.isSymmetric ? [[key, member], [member, key]] : [[key, member]]
            for pair in pairs { try database.execute(sql: sql, arguments: StatementArguments(pair)) }
        }
    }

    fileprivate func make<Object: Model>(_ type: Object.Type, _ context: ManagedObjectContext) throws {
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
            for key in entity.links.map(\.key) + entity.lists.map(\.key) + entity.embeddedKeys { json[key] = nil }
            let isLocal = Set(entity.links.filter { isOwner($0, object) }.map(\.name))
            for value in values where !isLocal.contains(value.column) { json[value.key] = value.json }
            object.update(from: try Self.decoded(json, type))
            for value in values where isLocal.contains(value.column) { try move(object, to: value.value, context) }
        case .link(let list, let member, let isAdded):
            var json = try JSONValue(json: JSONEncoder().encode(object.representation))
            var members = list.members(in: json)
            members.removeAll { $0 == DomainEntity.json(key: member) }
            if isAdded { members.append(DomainEntity.json(key: member)) }
            json[list.key] = list.json(members)
            object.update(from: try Self.decoded(json, type))
        }
    }

    /// A representation has no key that the device makes.
    private func makeWithLocalKey(_ json: JSONValue, _ context: ManagedObjectContext) throws {
        guard let key = UUID.fromDatabaseValue(key) else { return }
        if try makeInOwner(json, key, context) { return }
        switch entity.name {
        case "Order":
            Order(localID: key, name: "", context: context).update(from: try Self.decoded(json, Order.self))
        case "Basket":
            Basket(localID: key, name: "", context: context).update(from: try Self.decoded(json, Basket.self))
        case "Survey":
            Survey(localID: key, name: "", context: context).update(from: try Self.decoded(json, Survey.self))
        case "Mark":
            Mark(localID: key, text: "", context: context).update(from: try Self.decoded(json, Mark.self))
        case "Job":
            Job(localID: key, name: "", context: context).update(from: try Self.decoded(json, Job.self))
        case "Loan":
            Loan(localID: key, title: "", context: context).update(from: try Self.decoded(json, Loan.self))
        default:
            OfflineTasks.Task(localID: key, title: "", context: context)
                .update(from: try Self.decoded(json, OfflineTasks.Task.self))
        }
    }

    /// As apps do: the record is put into its owner's list.
    private func makeInOwner(_ json: JSONValue, _ key: UUID, _ context: ManagedObjectContext) throws -> Bool {
        guard let link = entity.links.first(where: { link in values.contains { $0.column == link.name } }),
            let owner = values.first(where: { $0.column == link.name })?.value
        else { return false }
        var json = json
        json[link.key] = nil
        switch entity.name {
        case "Line":
            let line = Line(localID: key, title: "", context: context)
            line.update(from: try Self.decoded(json, Line.self))
            try Self.find(Order.self, owner, context)?.lines.insert(line)
        case "Stamp":
            let stamp = ServerSamples.Stamp(localID: key, text: "", context: context)
            stamp.update(from: try Self.decoded(json, ServerSamples.Stamp.self))
            try Self.find(Line.self, owner, context)?.stamps.insert(stamp)
        case "Item":
            let item = Item(localID: key, title: "", context: context)
            item.update(from: try Self.decoded(json, Item.self))
            try Self.find(Basket.self, owner, context)?.items.insert(item)
        case "Sheet":
            guard let survey = try Self.find(Survey.self, owner, context) else { return true }
            Sheet(localID: key, name: "", survey: survey, context: context)
                .update(from: try Self.decoded(json, Sheet.self))
        default: return false
        }
        return true
    }

    /// Whether a link is one that ``move(_:to:_:)`` knows.
    private func isOwner(_ link: DomainEntity.Link, _ object: any Model) -> Bool {
        object is Line || object is ServerSamples.Stamp || object is Item || object is Sheet
    }

    private func move(_ object: any Model, to owner: DatabaseValue, _ context: ManagedObjectContext) throws {
        switch object {
        case let line as Line: line.order = try Self.find(Order.self, owner, context)
        case let stamp as ServerSamples.Stamp: stamp.line = try Self.find(Line.self, owner, context)
        case let item as Item: item.basket = try Self.find(Basket.self, owner, context)
        case let sheet as Sheet:
            if let survey = try Self.find(Survey.self, owner, context) { sheet.survey = survey }
        default: break
        }
    }

    private static func find<Object: Model>(
        _ type: Object.Type, _ key: DatabaseValue, _ context: ManagedObjectContext
    ) throws -> Object? {
        let key = RecordKey(key)
        return try context.fetch(Object.all()).first { $0.recordKey == key }
    }

    private static func decoded<Object: Model>(_ json: JSONValue, _ type: Object.Type) throws -> Object.Representation {
        try JSONDecoder().decode(Object.Representation.self, from: json.json())
    }
}
