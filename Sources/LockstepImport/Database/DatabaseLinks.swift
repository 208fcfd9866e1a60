import LockstepEvolution
import LockstepSchema

/// Finds what foreign keys refer to, and makes the relationships.
final class DatabaseLinks {
    /// A foreign key that can become a relationship.
    struct Key {
        /// Of all keys of the database.
        let id: String
        let table: DatabaseTable
        let target: DatabaseTable
        let columns: [DatabaseColumn]
        /// The columns of the target, in the order of `columns`.
        let references: [DatabaseColumn]
        let onDelete: String?

        /// The line of its first column in the source.
        var line: Int? { columns[0].line }

        /// The comment of its column, if it has one column.
        var documentation: String? { columns.count == 1 ? columns[0].documentation : nil }

        /// The name of what it refers to, by its column; `nil` if that does not say it.
        var destination: String? {
            if columns.count == 1 { return DatabaseNames.destination(columns[0].name, of: references[0].name) }
            // `order_tenant` and `order_number` refer to the tenant and the number of an order.
            let prefixes = Set(
                zip(columns, references).map { column, reference in
                    column.name.hasSuffix("_\(reference.name)") ? column.name.dropLast(reference.name.count + 1) : ""
                })
            guard prefixes.count == 1, let prefix = prefixes.first, !prefix.isEmpty else { return nil }
            return DatabaseNames.member(String(prefix))
        }
    }

    /// A table that consists of two foreign keys: a many-to-many relationship.
    struct Join {
        let table: DatabaseTable
        let left: Key
        let right: Key

        /// The sources of the relationships at both ends.
        var sources: (left: String, right: String) { ("\(left.id) left", "\(right.id) right") }
    }

    /// By the names of tables.
    private(set) var keys: [String: [Key]] = [:]
    private(set) var joins: [Join] = []
    private let notes: ImportNotes
    private let tables: [DatabaseTable]
    private let tablesByName: [String: DatabaseTable]
    private let spelling: DatabaseSpelling
    private var required = AcyclicLinks()
    /// The columns that relationships have, by entity.
    private var columns: [String: Set<String>] = [:]
    private var denied: [String] = []

    /// The foreign keys that do not become relationships.
    private let excluded: Set<String>

    /// - Parameter excluded: The foreign keys whose relationships would have other columns.
    init(_ source: any DatabaseSource, excluding excluded: Set<String>, notes: ImportNotes) {
        let (tables, spelling) = (source.tables, source.spelling)
        (self.tables, self.spelling, self.excluded, self.notes) = (tables, spelling, excluded, notes)
        tablesByName = Dictionary(tables.map { (spelling.key($0.name), $0) }) { first, _ in first }
        for table in tables { keys[table.name] = usableKeys(of: table) }
        let referenced = Set(keys.values.flatMap { $0.map(\.target.name) })
        for table in tables where !referenced.contains(table.name) {
            guard let own = keys[table.name], own.count == 2, Self.isJoin(table, keys: own) else { continue }
            joins.append(Join(table: table, left: own[0], right: own[1]))
        }
        // The other end of a join must be a table of records.
        let joined = Set(joins.map(\.table.name))
        joins.removeAll { joined.contains($0.left.target.name) || joined.contains($0.right.target.name) }
    }

    private static func isJoin(_ table: DatabaseTable, keys: [Key]) -> Bool {
        let linking = Set(keys.flatMap { $0.columns.map(\.name) })
        guard linking == Set(table.columns.map(\.name)), linking.count == keys.reduce(0, { $0 + $1.columns.count })
        else { return false }
        // A record of which there is one row has one link at most.
        if keys.contains(where: { table.isUnique($0.columns.map(\.name)) }) { return false }
        return table.key.isEmpty || table.key.count == table.columns.count
    }

    // MARK: Keys

    private func usableKeys(of table: DatabaseTable) -> [Key] {
        var usable: [Key] = []
        var seen: Set<[String]> = []
        for (number, key) in table.foreignKeys.enumerated() {
            let subject = "\(table.name).\(key.columns.joined(separator: ", "))"
            let id = "\(table.name) \(number)"
            if !["NO ACTION", "RESTRICT", ""].contains(key.onUpdate.uppercased()) {
                notes.ignored("\(subject): ON UPDATE \(key.onUpdate): identities never change")
            }
            guard let (target, columns, references) = resolve(key, id: id, of: table, subject: subject) else {
                continue
            }
            guard seen.insert(columns.map(\.name).sorted()).inserted else {
                notes.left(
                    key.line,
                    text: "\(subject): the reference to \(key.table), because it refers to another table already",
                    help: "A relationship has one entity as its destination.")
                continue
            }
            usable.append(
                Key(
                    id: id, table: table, target: target, columns: columns, references: references,
                    onDelete: key.onDelete))
        }
        return usable
    }

    private func resolve(
        _ key: DatabaseForeignKey, id: String, of table: DatabaseTable, subject: String
    ) -> (DatabaseTable, [DatabaseColumn], [DatabaseColumn])? {
        func lose(_ reason: String) {
            notes.left(
                key.line, text: "\(subject): the reference to \(key.table), because \(reason)",
                help: "Its columns are attributes.")
        }
        if let missing = key.columns.first(where: { table.column($0) == nil }) {
            lose("there is no column '\(missing)'")
            return nil
        }
        guard let target = tablesByName[spelling.key(key.table)] else {
            lose("there is no such table")
            return nil
        }
        if let missing = key.references.first(where: { target.column($0) == nil }) {
            lose("it has no column '\(missing)'")
            return nil
        }
        let columns = key.columns.compactMap(table.column)
        let references = key.references.isEmpty ? target.key : key.references.compactMap(target.column)
        if references.count != columns.count {
            lose("its primary key has other columns")
            return nil
        }
        if (columns + references).contains(where: \.isGenerated) {
            lose("a generated column is part of it")
            return nil
        }
        guard target.isUnique(references.map(\.name)) else {
            lose("several of its rows can have the same values")
            return nil
        }
        if excluded.contains(id) {
            lose("the relationship would have other columns")
            return nil
        }
        return (target, columns, references)
    }

    // MARK: Relationships

    func add(to importing: DatabaseImport) {
        let positions = importing.sketch.positions
        for table in tables {
            guard let made = importing.entities[table.name] else { continue }
            let counts = Dictionary(made.keys.map { ($0.target.name, 1) }, uniquingKeysWith: +)
            for key in made.keys {
                add(
                    key, of: made, isAlone: counts[key.target.name] == 1, positions: positions, in: importing)
            }
        }
        for join in joins { add(join, positions: positions, in: importing) }
        if !denied.isEmpty {
            let isKnown = importing.source.isComplete
            let reason = isKnown ? "their keys have no ON DELETE" : "what ON DELETE says is not known"
            notes.decided(
                nil,
                text: "Deleting is denied while there are \(denied.joined(separator: ", ")): \(reason)",
                help: (importing.source.isServer ? "" : "SQLite denies it only where foreign keys are enforced. ")
                    + "To unlink them, write `onDelete: nullify`.")
        }
    }

    private func add(
        _ key: Key, of made: DatabaseEntity, isAlone: Bool, positions: [String: Int], in importing: DatabaseImport
    ) {
        let destination = importing.names.entity(key.target.name)
        guard let own = positions[made.name], let other = positions[destination] else { return }
        let isRequired = key.columns.allSatisfy { column in
            column.isRequired || made.identity.contains { $0.isNamed(column.name) }
        }
        let subject = "\(made.table.name).\(key.columns.map(\.name).joined(separator: ", "))"
        let name = name(of: key, subject: subject, destination: destination, made: made, in: importing)
        var link = MemberSketch(name: name, type: .one(destination), source: key.id, line: key.line)
        if !isRequired {
            link.isOptional = true
        } else if !required.add(made.name, target: destination) {
            link.isOptional = true
            notes.decided(
                key.line, text: "\(subject) is optional: records that require each other could never be created")
        }
        let isOne = made.table.isUnique(key.columns.map(\.name))
        let inverse = inverseName(name, of: made, to: destination, isAlone: isAlone, isOne: isOne)
        let end = importing.names.relationship(inverse, of: destination)
        link.inverse = end
        addColumn(key, to: &link, made: made, isOne: isOne, in: importing)
        link.documentation = key.documentation
        var back = MemberSketch(name: end, type: isOne ? .optional(made.name) : .list(of: made.name))
        back.inverse = name
        addRule(key, subject: subject, to: &back, isRequired: !link.isOptional, end: "\(destination).\(end)")
        importing.sketch.entities[own].relationships.append(link)
        importing.sketch.entities[other].relationships.append(back)
    }

    /// The name of a relationship: what its columns refer to, unless a column has this name already.
    private func name(
        of key: Key, subject: String, destination: String, made: DatabaseEntity, in importing: DatabaseImport
    ) -> String {
        let wanted = key.destination ?? DatabaseNames.lowerFirst(destination)
        guard importing.names.isTaken(wanted, of: made.name),
            let column = made.table.columns.first(where: { column in
                !made.isOnlyOfLink(column) && MemberNames.plain(column.name) == MemberNames.plain(wanted)
            })
        else { return importing.names.relationship(wanted, of: made.name) }
        let name = importing.names.relationship("\(wanted)Record", of: made.name)
        notes.decided(
            key.line,
            text: "\(subject) is the relationship '\(name)': the name '\(column.name)' is that of a column")
        return name
    }

    private func inverseName(
        _ name: String, of made: DatabaseEntity, to destination: String, isAlone: Bool, isOne: Bool
    ) -> String {
        let own = DatabaseNames.lowerFirst(made.name)
        let base = isOne ? own : Noun.plural(own)
        if made.name == destination { return name == "parent" ? "children" : "\(base)By\(Self.upperFirst(name))" }
        // `user` refers to a user, whichever others there are.
        let isUsual = destination.lowercased().hasSuffix(name.lowercased())
        return isAlone || isUsual ? base : "\(base)By\(Self.upperFirst(name))"
    }

    /// The key has the column's name, if it has one column only.
    private func addColumn(
        _ key: Key, to link: inout MemberSketch, made: DatabaseEntity, isOne: Bool, in importing: DatabaseImport
    ) {
        let target = importing.entities[key.target.name]
        guard key.columns.count == 1, let target, target.identity.isEmpty || isIdentity(key.references, target: target)
        else {
            return
        }
        let column = key.columns[0].name
        guard columns[made.name, default: []].insert(column).inserted else { return }
        // Of two ends that are optional, the one with a column has the key.
        if importing.names.derived.link(link.name) != column || isOne && link.isOptional {
            if importing.source.isAdopted { link.column = column }
            if importing.source.isServer { link.key = [column] }
        }
    }

    private func isIdentity(_ columns: [DatabaseColumn], target: DatabaseEntity) -> Bool {
        columns.map(\.name) == target.identity.map(\.name)
    }

    private func addRule(_ key: Key, subject: String, to back: inout MemberSketch, isRequired: Bool, end: String) {
        switch key.onDelete?.uppercased() {
        case nil: break
        case "CASCADE": back.onDelete = .cascade
        case "RESTRICT": if !isRequired { back.onDelete = .deny }
        case "SET NULL":
            if isRequired { notes.left(key.line, text: "\(subject): ON DELETE SET NULL, because it is required") }
        case "NO ACTION", "":
            denied.append(end)
            if !isRequired { back.onDelete = .deny }
        case let rule?: notes.left(key.line, text: "\(subject): ON DELETE \(rule)")
        }
    }

    private func add(_ join: Join, positions: [String: Int], in importing: DatabaseImport) {
        let left = importing.names.entity(join.left.target.name)
        let right = importing.names.entity(join.right.target.name)
        guard let leftPosition = positions[left], let rightPosition = positions[right] else { return }
        let leftName = importing.names.relationship(Self.end(join.right, entity: right), of: left)
        let rightName = importing.names.relationship(Self.end(join.left, entity: left), of: right)
        var leftEnd = MemberSketch(name: leftName, type: .list(of: right))
        leftEnd.inverse = rightName
        leftEnd.source = join.sources.left
        var rightEnd = MemberSketch(name: rightName, type: .list(of: left))
        rightEnd.inverse = leftName
        rightEnd.source = join.sources.right
        if importing.source.isServer, importing.source.isAdopted { leftEnd.table = join.table.name }
        importing.sketch.entities[leftPosition].relationships.append(leftEnd)
        importing.sketch.entities[rightPosition].relationships.append(rightEnd)
        notes.decided(
            join.table.line,
            text: "\(join.table.name), a join table, is the relationships \(left).\(leftName) and "
                + "\(right).\(rightName)",
            help: "Links have no attributes of their own.")
        let rules = [join.left, join.right].compactMap { $0.onDelete?.uppercased() }
        if rules.contains(where: { $0 != "CASCADE" }) {
            notes.decided(
                join.table.line,
                text:
                    "\(join.table.name): deleting a record deletes its links, also where a key has no ON DELETE CASCADE"
            )
        }
    }

    /// The name of the other end of a join: what its columns refer to, in the plural.
    private static func end(_ key: Key, entity: String) -> String {
        Noun.plural(key.destination ?? DatabaseNames.lowerFirst(entity))
    }

    private static func upperFirst(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
