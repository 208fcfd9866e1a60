import LockstepEvolution
import LockstepSchema

/// Makes relationships of foreign keys and join tables.
final class RailsLinks {
    private let keys: [String: RailsKey]
    private let entities: [String: String]
    private let types: Set<String>
    private let notes: ImportNotes
    private let tables: [RailsTable]
    private let joins: [RailsTable]
    /// The foreign keys of each table, by the column.
    private var foreignKeys: [String: [String: RailsForeignKey]] = [:]
    /// The relationships that were made, by table and column.
    private var links: [Link] = []
    /// The names of the relationships, by table and column.
    private var linked: [String: String] = [:]

    private struct Link {
        let table: RailsTable
        let column: RailsColumn
        let target: String
        let name: String
        let rule: RubyValue?
    }

    init(
        _ tables: [RailsTable], joins: [RailsTable], foreignKeys: [RailsForeignKey], keys: [String: RailsKey],
        entities: [String: String], types: Set<String>, notes: ImportNotes
    ) {
        (self.tables, self.joins, self.keys, self.entities) = (tables, joins, keys, entities)
        (self.types, self.notes) = (types, notes)
        let all = Dictionary((tables + joins).map { ($0.name, $0) }) { first, _ in first }
        for key in (tables + joins).flatMap(\.foreignKeys) + foreignKeys { add(key, all: all) }
    }

    private func add(_ key: RailsForeignKey, all: [String: RailsTable]) {
        let column = key.column ?? "\(Noun.singular(key.target))_id"
        let subject = "The foreign key of \(key.table) to \(key.target)"
        guard let table = all[key.table], table.column(column) != nil else {
            return notes.left(key.call.line, text: "\(subject): there is no column '\(column)'")
        }
        foreignKeys[key.table, default: [:]][column] = key
        let known: Set = ["column", "on_delete", "name", "to_table", "primary_key"]
        for option in key.call.options where !known.contains(option.key) {
            notes.left(key.call.line, text: "\(subject): \(option.key): \(option.value.description)")
        }
        if let rule = key.call.option("on_delete"), !["cascade", "nullify", "restrict"].contains(rule.text ?? "") {
            notes.left(key.call.line, text: "\(subject): on_delete: \(rule.description)")
        }
        if let other = key.call.option("primary_key")?.text, other != "id", keys[key.target]?.columns != [other] {
            notes.left(key.call.line, text: "\(subject): primary_key: \"\(other)\"")
        }
    }

    // MARK: To one

    /// The name of the relationship of a column.
    func name(of column: String, in table: RailsTable) -> String? { linked["\(table.name).\(column)"] }

    /// The relationship of a column; `nil` if it is an attribute.
    func relationship(
        of column: RailsColumn, in table: RailsTable, columns: RailsColumns, isKey: Bool
    ) -> MemberSketch? {
        guard let target = target(of: column, in: table) else { return nil }
        let subject = "\(table.name).\(column.name)"
        guard let entity = entities[target], let type = keys[target]?.type,
            RailsType(column.type, limit: nil)?.name == type
        else {
            notes.left(
                column.line, text: "\(subject): the relationship to \(target)",
                help: "It is an attribute: the table is missing, or its key has another type.")
            return nil
        }
        if isKey {
            notes.left(
                column.line, text: "\(subject): the relationship to \(entity)",
                help: "It is an attribute, because it is part of the identity.")
            return nil
        }
        let base = column.name.hasSuffix("_id") ? String(column.name.dropLast(3)) : column.name + "_record"
        let name = columns.relationshipName(base)
        if table.column(base) != nil {
            notes.decided(
                column.line, text: "\(subject) is the relationship '\(name)': the name '\(base)' is that of a column")
        }
        var member = MemberSketch(
            name: name, type: TypeSketch(name: entity, isOptional: !column.isRequired), line: column.line)
        if DerivedNames(isSnakeCase: true).link(name) != column.name { member.key = [column.name] }
        member.documentation = column.option("comment")?.text
        let rule = foreignKeys[table.name]?[column.name]?.call.option("on_delete")
        links.append(Link(table: table, column: column, target: target, name: name, rule: rule))
        linked[subject] = name
        return member
    }

    /// The table that a column refers to: by a foreign key, or by its name.
    private func target(of column: RailsColumn, in table: RailsTable) -> String? {
        if let key = foreignKeys[table.name]?[column.name] { return key.target }
        guard column.name.hasSuffix("_id") else { return nil }
        let base = String(column.name.dropLast(3))
        if table.polymorphic.contains(base) || table.column("\(base)_type") != nil {
            notes.left(
                column.line, text: "\(table.name).\(base), a relationship to records of several tables (polymorphic)",
                help: "Its columns are attributes. For a relationship to each table, write one in 'relationships:'.")
            return nil
        }
        let plural = Noun.plural(base)
        if let found = named(plural, beside: table) { return found }
        if base == "parent" { return table.name }
        notes.decided(
            column.line, text: "\(table.name).\(column.name) is an attribute: there is no table '\(plural)'",
            help: "If it is the identity of another record, write a relationship.")
        return nil
    }

    /// The table with a name, which can have a prefix of the table that refers to it: `spree_line_items.order_id`
    /// refers to `spree_orders`.
    private func named(_ plural: String, beside table: RailsTable) -> String? {
        if entities[plural] != nil { return plural }
        let words = table.name.split(separator: "_")
        let prefixes = words.indices.dropFirst().reversed().map { words[..<$0].joined(separator: "_") }
        return prefixes.lazy.map { "\($0)_\(plural)" }.first { self.entities[$0] != nil }
    }

    // MARK: Other ends

    /// Adds the other ends, and what join tables link.
    func finish(_ sketch: inout SchemaSketch) {
        let positions = sketch.positions
        var names = MemberNames(sketch)
        for link in links { addOtherEnd(link, in: &sketch, positions: positions, names: &names) }
        for table in joins { addJoin(table, in: &sketch, positions: positions, names: &names) }
    }

    private func addOtherEnd(
        _ link: Link, in sketch: inout SchemaSketch, positions: [String: Int], names: inout MemberNames
    ) {
        guard let owner = entities[link.table.name], let target = entities[link.target],
            let position = positions[target],
            let ownerPosition = positions[owner],
            let index = sketch.entities[ownerPosition].relationships.firstIndex(where: { $0.name == link.name })
        else { return }
        let isOne = link.table.indexes.contains { index in
            index.isUnique && index.columns == [link.column.name] && index.call.option("where") == nil
        }
        let isUsual = "_\(link.target)".hasSuffix("_\(Noun.plural(String(link.column.name.dropLast("_id".count))))")
        let plain = link.target == link.table.name ? "children" : UsableName.camelCase(link.table.name)
        let isTree = link.target == link.table.name && link.name == "parent"
        let base = isUsual || isTree ? plain : "\(link.name)_\(link.table.name)"
        let wanted = UsableName.camelCase(isOne ? Noun.singular(base) : base)
        let name = names.free(UsableName.member(wanted, types: types), in: target)
        sketch.entities[ownerPosition].relationships[index].inverse = name
        var end = MemberSketch(name: name, type: isOne ? .optional(owner) : .list(of: owner))
        end.inverse = link.name
        switch link.rule?.text {
        case "cascade": end.onDelete = .cascade
        case "restrict": end.onDelete = .deny
        case "nullify" where link.column.isRequired:
            notes.left(
                link.column.line, text: "\(link.table.name).\(link.column.name): on_delete: :nullify",
                help: "A required column cannot be null.")
        default: break
        }
        sketch.entities[position].relationships.append(end)
    }

    // MARK: Many to many

    private func addJoin(
        _ table: RailsTable, in sketch: inout SchemaSketch, positions: [String: Int], names: inout MemberNames
    ) {
        let ends = table.columns.map { column -> (column: RailsColumn, table: String)? in
            guard let target = target(of: column, in: table), entities[target] != nil else { return nil }
            // `create_join_table` does not say of which type the columns are.
            let isSame = keys[target]?.type == RailsType(column.type, limit: nil)?.name
            return isSame || table.call.method == "create_join_table" ? (column, target) : nil
        }
        guard let first = ends[0], let second = ends[1], let left = entities[first.table],
            let right = entities[second.table], let leftPosition = positions[left], let rightPosition = positions[right]
        else {
            return notes.left(
                table.line,
                text:
                    "\(table.name), a join table: the tables that it links are missing, or their keys have other types")
        }
        let toRight = UsableName.camelCase(Noun.plural(String(second.column.name.dropLast(3))))
        let toLeft = UsableName.camelCase(Noun.plural(String(first.column.name.dropLast(3))))
        let rightName = names.free(UsableName.member(toRight, types: types), in: left)
        sketch.entities[leftPosition].relationships.append(MemberSketch(name: rightName, type: .list(of: right)))
        let rightIndex = sketch.entities[leftPosition].relationships.count - 1
        let leftName = names.free(UsableName.member(toLeft, types: types), in: right)
        var other = MemberSketch(name: leftName, type: .list(of: left))
        other.inverse = rightName
        sketch.entities[rightPosition].relationships.append(other)
        sketch.entities[leftPosition].relationships[rightIndex].inverse = leftName
        notes.decided(
            table.line,
            text: "\(table.name), a join table, is the relationships \(left).\(rightName) and \(right).\(leftName)")
        for column in table.columns {
            for option in column.options where !["null", "unsigned"].contains(option.key) {
                notes.left(
                    column.line, text: "\(table.name).\(column.name): \(option.key): \(option.value.description)")
            }
        }
        for index in table.indexes {
            if index.call.option("where") != nil { notes.left(index.line, text: "\(table.name): a partial index") }
        }
    }
}
