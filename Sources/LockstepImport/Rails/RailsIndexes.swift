/// Takes over the indexes of a table.
struct RailsIndexes {
    private let table: RailsTable
    private let notes: ImportNotes
    private let links: RailsLinks

    init(_ table: RailsTable, notes: ImportNotes, links: RailsLinks) {
        (self.table, self.notes, self.links) = (table, notes, links)
    }

    func add(to entity: inout EntitySketch, columns: RailsColumns) {
        for index in table.indexes { add(index, to: &entity, columns: columns) }
        for column in table.columns where column.option("index")?.isTrue == true {
            let name = columns.name(of: column.name)
            if entity.attributes.contains(where: { $0.name == name }) { entity.addIndex(over: [name], isUnique: false) }
        }
    }

    private func add(_ index: RailsIndex, to entity: inout EntitySketch, columns: RailsColumns) {
        let subject = "\(table.name): the index over \(index.columns.joined(separator: ", "))"
        if index.call.option("where") != nil || index.columns.isEmpty {
            return notes.left(index.line, text: "\(subject): where: \(index.call.option("where")?.description ?? "")")
        }
        var members: [String] = []
        for column in index.columns {
            if let link = links.name(of: column, in: table) {
                members.append(link)
            } else if table.column(column) != nil,
                entity.attributes.contains(where: { $0.name == columns.name(of: column) })
            {
                members.append(columns.name(of: column))
            } else {
                return notes.left(index.line, text: "\(subject): \(column) is not an attribute")
            }
        }
        for option in index.call.options where !["name", "unique"].contains(option.key) {
            if option.key == "using", option.value.text == "btree" { continue }
            notes.left(index.line, text: "\(subject): \(option.key): \(option.value.description)")
        }
        entity.addIndex(over: members, isUnique: index.isUnique)
    }
}
