import Foundation
import GRDB
import LockstepStore

/// The tables of a Core Data store.
///
/// The layout is described, for example, in “How Core Data Saves Data in SQLite”
/// (https://fatbobman.com/en/posts/tables_and_fields_of_coredata/). Apple does not document it, so columns are
/// looked for and not assumed.
struct CoreDataFile {
    let connection: SourceConnection
    /// The entities by name, with their numbers.
    let numbers: [String: Int64]
    private let names: [Int64: String]
    private let parents: [Int64: Int64]
    /// The columns of each table of entities or links, by the table's name.
    let tables: [String: [String]]

    init(_ connection: SourceConnection) throws(CoreDataError) {
        self.connection = connection
        // All of what follows sees one state of the file.
        try connection.execute("BEGIN")
        try connection.checkSize()
        var tables: [String: [String]] = [:]
        let list = try connection.statement("SELECT name FROM sqlite_master WHERE type = 'table'").rows()
        for case .string(let name) in list.map({ $0[0].storage }) where name.hasPrefix("Z") {
            tables[name] = try connection.statement("SELECT * FROM \(SQLName.quoted(name)) LIMIT 0").columns
        }
        guard let columns = tables["Z_PRIMARYKEY"], columns.contains("Z_ENT"), columns.contains("Z_NAME") else {
            throw CoreDataError(
                .notCoreData, url: connection.url, reason: "it is an SQLite file without the tables of Core Data",
                remedy: "Name the file that NSPersistentContainer opens.")
        }
        let parent = columns.contains("Z_SUPER") ? "Z_SUPER" : "0"
        var (numbers, names, parents): ([String: Int64], [Int64: String], [Int64: Int64]) = ([:], [:], [:])
        for row in try connection.statement("SELECT Z_ENT, Z_NAME, \(parent) FROM Z_PRIMARYKEY").rows() {
            guard case .int64(let number) = row[0].storage, case .string(let name) = row[1].storage else { continue }
            (numbers[name], names[number]) = (number, name)
            if case .int64(let parent) = row[2].storage, parent != 0, parent != number { parents[number] = parent }
        }
        (self.tables, self.numbers, self.names, self.parents) = (tables, numbers, names, parents)
    }

    func name(ofEntity number: Int64) -> String? { names[number] }

    /// An entity and its ancestors. A file whose entities are their own ancestors ends at the first that repeats.
    func lineage(of number: Int64) -> [Int64] {
        var lineage = [number]
        while let parent = lineage.last.flatMap({ parents[$0] }), !lineage.contains(parent) { lineage.append(parent) }
        return lineage
    }

    /// The entity whose table has the rows of an entity.
    func root(of number: Int64) -> Int64 { lineage(of: number).last ?? number }

    /// The table with the rows of an entity and of all that have the same root; `nil` if there is none.
    func table(ofEntity number: Int64) -> String? {
        names[root(of: number)].map { "Z" + $0.uppercased() }.flatMap { tables[$0] == nil ? nil : $0 }
    }
}
