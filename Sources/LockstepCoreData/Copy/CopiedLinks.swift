/// A relationship whose links no to-one relationship of the schema has: those of a join table, of a to-many
/// relationship without an inverse, or of a to-one relationship that is its own inverse.
struct CopiedLinks {
    let relationship: CoreDataMap.Relationship
    /// The entity of the model that declares it.
    let owner: String
    let columns: LinkColumns
    let isOwnInverse: Bool
    /// The tables of the rows at both ends.
    let ownerTable: String
    let destinationTable: String

    /// Finds all of them, each once for both of its ends.
    ///
    /// - Returns: Also those that the file lacks: `Book.tags`.
    static func all(_ map: MapIndex, in file: CoreDataFile) -> (links: [CopiedLinks], missing: [String]) {
        var (links, missing): ([CopiedLinks], [String]) = ([], [])
        var done: Set<[String]> = []
        for name in map.names {
            guard let entity = map.entities[name], let number = file.numbers[name] else { continue }
            for relationship in map.declared(by: entity) where relationship.isToMany {
                if map.entities[relationship.destination] == nil { continue }
                let inverse = map.inverse(of: relationship)
                if let inverse, !inverse.relationship.isToMany { continue }
                let ends = [
                    "\(name).\(relationship.name)", inverse.map { "\($0.owner).\($0.relationship.name)" } ?? "",
                ]
                guard done.insert(ends.sorted()).inserted else { continue }
                guard let target = file.numbers[relationship.destination], let table = file.table(ofEntity: number),
                    let other = file.table(ofEntity: target)
                else { continue }
                let columns =
                    if let inverse {
                        LinkColumns(
                            file, name: relationship.name, of: number, inverse: inverse.relationship.name, of: target)
                    } else {
                        LinkColumns(file, name: relationship.name, of: number, in: other)
                    }
                guard let columns else {
                    missing.append(ends[0])
                    continue
                }
                links.append(
                    CopiedLinks(
                        relationship: relationship, owner: name, columns: columns, isOwnInverse: ends[0] == ends[1],
                        ownerTable: table, destinationTable: other))
            }
        }
        return (links, missing)
    }
}
