extension Draft {
    /// Creates a table for each pair of to-many relationships. Its name and columns must not clash with those in the
    /// schema.
    func makeJoinTables() {
        var tables = Set(concreteEntities.map { $0.tableName.lowercased() })
        tables.formUnion(links.compactMap { $0.declaration?.table?.value.lowercased() })
        for entity in entities {
            for link in entity.links where link.storage == .joinTable {
                guard let inverse = link.inverse, let table = joinTable(of: link, right: inverse, avoiding: tables)
                else {
                    continue
                }
                tables.insert(table.name.lowercased())
                link.joinTable = (table.name, isLeft: true)
                if !link.isSymmetric { inverse.joinTable = (table.name, isLeft: false) }
                joinTables.append(table)
            }
        }
    }

    /// `nil` for the side that was declared second, and if a side has no key.
    private func joinTable(of left: Link, right: Link, avoiding tables: Set<String>) -> JoinTable? {
        guard left.order <= right.order, !left.owner.identity.keyAttributes.isEmpty,
            !right.owner.identity.keyAttributes.isEmpty
        else { return nil }
        var columns = ColumnNames()
        let names = sideNames(left, right)
        let leftColumns = keyColumns(of: left.owner, named: names.left).map { columns.take($0) }
        let rightColumns = keyColumns(of: right.owner, named: names.right).map { columns.take($0) }
        let position = { (link: Link, columns: inout ColumnNames) -> String? in
            guard link.isOrdered else { return nil }
            let owner = NameWords(link.owner.name).lowerCamelCase
            return columns.take(
                self.columnSpelling.spell(link.name, "position"),
                else: self.columnSpelling.spell(owner, link.name, "position"))
        }
        return JoinTable(
            name: joinTableName(left, right, avoiding: tables),
            left: JoinTable.End(
                entity: left.owner.name, relationship: left.name, columns: leftColumns,
                positionColumn: position(left, &columns)),
            right: JoinTable.End(
                entity: right.owner.name, relationship: right.name, columns: rightColumns,
                positionColumn: left.isSymmetric ? nil : position(right, &columns)),
            isLocal: left.owner.remote == nil && right.owner.remote == nil)
    }

    /// The names of the two sides in the columns: those of their entities (`product_id`, `tag_id`) or, if an entity is
    /// linked to itself, those of the relationships that lead to them. Only one leads to both ends of a symmetric one.
    private func sideNames(_ left: Link, _ right: Link) -> (left: String, right: String) {
        if left.isSymmetric {
            return (NameWords(left.owner.name).lowerCamelCase, left.isToMany ? Noun.singular(left.name) : left.name)
        }
        if left.owner === right.owner { return (Noun.singular(right.name), Noun.singular(left.name)) }
        return (NameWords(left.owner.name).lowerCamelCase, NameWords(right.owner.name).lowerCamelCase)
    }

    private func joinTableName(_ left: Link, _ right: Link, avoiding tables: Set<String>) -> String {
        if let declared = left.declaration?.table ?? right.declaration?.table { return declared.value }
        let owner = left.owner.tableName
        var names = [owner + "_" + columnSpelling.spell(left.name)]
        if left.owner !== right.owner { names.insert(owner + "_" + right.owner.tableName, at: 0) }
        return firstFree(names, in: tables)
    }

    /// The first unused one of `names`; if all are used, the last one with a number.
    func firstFree(_ names: [String], in taken: Set<String>) -> String {
        if let free = names.first(where: { !taken.contains($0.lowercased()) }) { return free }
        let last = names[names.count - 1]
        var number = 2
        while taken.contains("\(last)_\(number)".lowercased()) { number += 1 }
        return "\(last)_\(number)"
    }
}

/// The columns of a table whose names are all chosen here.
private struct ColumnNames {
    private var taken: Set<String> = []

    /// `name` if it is unused, otherwise `alternative`, otherwise that with a number.
    mutating func take(_ name: String, else alternative: String? = nil) -> String {
        var choice = name
        if taken.contains(choice.lowercased()), let alternative { choice = alternative }
        let base = choice
        var number = 2
        while !taken.insert(choice.lowercased()).inserted {
            choice = "\(base)_\(number)"
            number += 1
        }
        return choice
    }
}
