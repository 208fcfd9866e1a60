import LockstepSchema

/// Finds what the columns of tables refer to: by foreign keys, or by their names, as associations do.
struct RailsReferences {
    private let written: [String: RailsTable]
    private let undeclared: UndeclaredLinks
    private let notes: ImportNotes
    /// The foreign keys of each table.
    private var declared: [String: [DatabaseForeignKey]] = [:]

    init(
        _ tables: [DatabaseTable], written: [String: RailsTable], foreignKeys: [RailsForeignKey], notes: ImportNotes
    ) {
        (self.written, self.notes) = (written, notes)
        undeclared = UndeclaredLinks(tables.filter { written[$0.name]?.isJoin == false })
        for key in tables.flatMap({ written[$0.name]?.foreignKeys ?? [] }) + foreignKeys { declare(key) }
    }

    private mutating func declare(_ key: RailsForeignKey) {
        let subject = "The foreign key of \(key.table) to \(key.target)"
        guard written[key.table] != nil else {
            return notes.left(key.call.line, text: "\(subject): there is no table '\(key.table)'")
        }
        guard key.columns.count == 1 else {
            return notes.left(
                key.call.line, text: "\(subject) over \(key.columns.joined(separator: ", "))",
                help: "Its columns are attributes.")
        }
        let rules = ["cascade": "CASCADE", "nullify": "SET NULL", "restrict": "RESTRICT"]
        let options = ["on_delete", "on_update"].filter { key.call.option($0)?.text.flatMap { rules[$0] } != nil }
        let known = Set(options + ["column", "name", "to_table", "primary_key"])
        for option in key.call.options where !known.contains(option.key) {
            notes.left(key.call.line, text: "\(subject): \(option.key): \(option.value.description)")
        }
        declared[key.table, default: []].append(
            DatabaseForeignKey(
                table: key.target, columns: key.columns,
                references: key.call.option("primary_key").map(RailsReader.columns) ?? [],
                onUpdate: key.call.option("on_update")?.text.flatMap { rules[$0] } ?? "",
                onDelete: key.call.option("on_delete")?.text.flatMap { rules[$0] }, line: key.call.line))
    }

    /// The foreign keys of a table in the order of its columns; `nil` for a join table whose ends are not known.
    func keys(of table: DatabaseTable) -> [DatabaseForeignKey]? {
        guard let own = written[table.name] else { return [] }
        let (all, identity) = (declared[table.name] ?? [], table.key.map(\.name))
        let declared = Dictionary(grouping: all) { $0.columns[0] }
        var keys: [DatabaseForeignKey] = []
        for column in table.columns {
            keys += declared[column.name] ?? []
            if declared[column.name] == nil, column.name.hasSuffix("_id"), identity != [column.name] {
                keys += named(column, in: table, of: own).map { [$0] } ?? []
            }
        }
        keys += all.filter { table.column($0.columns[0]) == nil }
        guard own.isJoin, keys.count < 2 else { return keys }
        notes.left(
            table.line,
            text: "\(table.name), a join table: the tables that it links are missing, or their keys have other types")
        return nil
    }

    private func named(_ column: DatabaseColumn, in table: DatabaseTable, of own: RailsTable) -> DatabaseForeignKey? {
        if UndeclaredLinks.reportPolymorphic(column, in: table, notes: notes) { return nil }
        let subject = "\(table.name).\(column.name)"
        guard let target = undeclared.target(of: column, in: table) else {
            if own.isJoin { return nil }
            notes.decided(
                column.line,
                text: "\(subject) is an attribute: there is no table '\(Noun.plural(String(column.name.dropLast(3))))'",
                help: "If it is the identity of another record, write a relationship.")
            return nil
        }
        // `create_join_table` does not say of which type the columns are.
        let key = target.key.count == 1 ? RailsType(target.key[0].declaredType)?.name : nil
        let isSame = key != nil && key == RailsType(column.declaredType)?.name
        if isSame || own.call.method == "create_join_table" {
            return DatabaseForeignKey(table: target.name, columns: [column.name], references: [], onDelete: nil)
        }
        if own.isJoin { return nil }
        notes.left(
            column.line, text: "\(subject): the relationship to \(target.name)",
            help: "It is an attribute: the table has no key of this type.")
        return nil
    }
}

extension RailsTable {
    /// Whether it can have a key that is not in the block.
    var hasImpliedKey: Bool { call.method != "create_join_table" && call.option("id") != .bool(false) }

    /// Whether it only links the records of two others, each of which can have many.
    var isJoin: Bool {
        guard columns.count == 2, columns.allSatisfy({ $0.name.hasSuffix("_id") }),
            !indexes.contains(where: { $0.isUnique && !$0.isPartial && $0.columns.count == 1 })
        else { return false }
        if !hasImpliedKey { return true }
        if case .array = call.option("primary_key") { return true }
        return false
    }
}
