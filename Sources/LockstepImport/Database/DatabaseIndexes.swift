/// Adds the indexes of a table, and its UNIQUE constraints that are no identity.
struct DatabaseIndexes {
    private let made: DatabaseEntity
    private let notes: ImportNotes

    init(_ made: DatabaseEntity, notes: ImportNotes) { (self.made, self.notes) = (made, notes) }

    func add(to entity: inout EntitySketch) {
        for index in made.table.indexes where !index.isKey { add(index, to: &entity) }
    }

    private func add(_ index: DatabaseIndex, to entity: inout EntitySketch) {
        let kind = index.isUnique ? "unique index" : "index"
        let subject = "\(made.table.name): the \(kind) \(index.sql == nil ? "of a constraint" : index.name)"
        if index.isPartial || index.terms.contains(where: { $0.column == nil }) {
            let reason = index.isPartial ? "a partial one" : "over an expression"
            return notes.left(
                index.line, text: "\(subject), \(reason): \((index.sql ?? "").oneLine)",
                help: index.isUnique ? "Check it in Swift, in `validate()`." : nil)
        }
        var members: [String] = []
        for term in index.terms {
            guard let name = term.column, let member = member(name, of: entity, index: index) else {
                return notes.left(
                    index.line, text: "\(subject) over \(columns(index))",
                    help: "Bytes, JSON and what was left out have no index.")
            }
            if !members.contains(member) { members.append(member) }
        }
        if index.terms.contains(where: \.isDescending) {
            notes.decided(
                index.line, text: "\(subject) is ascending, and was partly descending",
                help: "SQLite reads an index in both directions.")
        }
        for term in index.terms where term.collation.uppercased() != "BINARY" {
            notes.left(
                index.line, text: "\(subject): the collation \(term.collation) of \(term.column ?? "")",
                help: index.isUnique ? "Strings that this collation treats as equal are now different." : nil)
        }
        // That no two have the same record is the other end of a relationship.
        if members.count == 1, entity.relationships.contains(where: { $0.name == members[0] }) { return }
        entity.addIndex(over: members, isUnique: index.isUnique)
    }

    /// The attribute, or the relationship whose key a column is, if all of the key is in the index.
    private func member(_ column: String, of entity: EntitySketch, index: DatabaseIndex) -> String? {
        let name = made.table.column(column)?.name
        if let attribute = entity.attributes.first(where: { $0.source != nil && $0.source == name }) {
            return attribute.type.isIndexable ? attribute.name : nil
        }
        let key = made.keys.first { key in
            key.columns.contains { $0.isNamed(column) }
                && key.columns.allSatisfy { part in index.terms.contains { part.isNamed($0.column ?? "") } }
        }
        return key.flatMap { key in entity.relationships.first { $0.source == key.id } }?.name
    }

    private func columns(_ index: DatabaseIndex) -> String {
        index.terms.map { $0.column ?? "an expression" }.joined(separator: ", ")
    }
}
