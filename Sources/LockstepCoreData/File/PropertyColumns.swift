import GRDB
import LockstepStore

/// Finds the columns of attributes and to-one relationships.
///
/// Entities with the same root share a table. If two of them, neither of which is the other's ancestor, have properties
/// of one name, these have columns of their own: `ZTITLE`, `ZTITLE1`, in the order of the entities' numbers. The part
/// of a composite attribute, such as `place.latitude`, has a column only if no other property of the table can have it.
struct PropertyColumns {
    /// An entity of the map with what it declares.
    struct Owner {
        let number: Int64
        let properties: [String]
    }

    /// By the number of the entity that declares the property, and its name.
    private(set) var columns: [Int64: [String: String]] = [:]
    /// The properties without a column.
    private(set) var missing: [(entity: Int64, property: String)] = []

    /// - Parameter owners: The entities of one table.
    init(_ file: CoreDataFile, table: String, owners: [Owner]) throws(CoreDataError) {
        let available = file.tables[table] ?? []
        var users: [String: [(owner: Int64, property: String)]] = [:]
        for owner in owners.sorted(by: { $0.number < $1.number }) {
            for property in owner.properties {
                users[Self.name(of: property), default: []].append((owner.number, property))
            }
        }
        for (name, all) in users.sorted(by: { $0.key < $1.key }) {
            let candidates = available.compactMap { column in
                NumberedName(column, prefix: "Z", name: name, isNumbered: false).map { (column, $0.suffix) }
            }.filter { column, suffix in
                suffix == 0 || !owners.contains { $0.properties.contains { "Z" + Self.name(of: $0) == column } }
            }.sorted { $0.1 < $1.1 }.map(\.0)
            let isAmbiguous = all.count > 1 || candidates.count > 1
            missing += all.filter { isAmbiguous && $0.property.contains(".") }.map { ($0.owner, $0.property) }
            let users = all.filter { !isAmbiguous || !$0.property.contains(".") }
            let found = try Self.match(users.map(\.owner), candidates: candidates, in: file, table: table)
            for (user, column) in zip(users, found) {
                if let column {
                    columns[user.owner, default: [:]][user.property] = column
                } else {
                    missing.append((user.owner, user.property))
                }
            }
        }
    }

    /// What the column of a property is called, without its first letter and its number.
    private static func name(of property: String) -> String {
        property.split(separator: ".").last.map { $0.uppercased() } ?? property
    }

    /// The column of each owner, in order.
    private static func match(
        _ owners: [Int64], candidates: [String], in file: CoreDataFile, table: String
    ) throws(CoreDataError) -> [String?] {
        if owners.count == 1, candidates.count < 2 { return [candidates.first] }
        var rest: [(column: String, entities: [Int64])] = []
        for column in candidates {
            let name = SQLName.quoted(column)
            let query = "SELECT DISTINCT Z_ENT FROM \(SQLName.quoted(table)) WHERE \(name) IS NOT NULL"
            rest.append((column, try file.connection.statement(query).numbers()))
        }
        var found: [String?] = []
        for owner in owners {
            // A column with values in rows of other entities is not this one's.
            let index = rest.firstIndex { $0.entities.allSatisfy { file.lineage(of: $0).contains(owner) } }
            found.append(index.map { rest.remove(at: $0).column })
        }
        return found
    }
}
