/// What some work may cost, beside the least that the same must cost.
public struct Budget: Sendable {
    public enum Limit: Sendable {
        /// So many times the floor.
        case ratio(Double)
        /// So many times the floor, and so many seconds.
        case ratioAndSeconds(Double, Double)
        /// So many bytes more than the floor.
        case moreBytes(Double)
    }

    /// What options and the file of results call it.
    public let name: String
    /// What `run --only` measures it with.
    public let part: String
    public let work: String
    public let floor: String
    public let limit: Limit

    public static let generate = Budget(
        name: "generate", part: "generate", work: "generate 1,000 entities, everything",
        floor: "libyaml reads the schema, C writes the same files", limit: .ratio(3))
    public static let generateAgain = Budget(
        name: "generate-again", part: "generate", work: "generate again, nothing changed",
        floor: "libyaml, C reads the same files", limit: .ratio(3))
    public static let importModel = Budget(
        name: "import", part: "import", work: "import a Core Data model of 1,000 entities",
        floor: "libxml2 reads the model, C writes the same file", limit: .ratio(3))
    public static let compileDebug = Budget(
        name: "compile-debug", part: "compile", work: "compile the output, per entity, debug",
        floor: "the same entities written by hand", limit: .ratio(1.25))
    public static let compileRelease = Budget(
        name: "compile-release", part: "compile", work: "compile the output, per entity, release",
        floor: "the same entities written by hand", limit: .ratio(1.25))
    public static let fetch = Budget(
        name: "fetch", part: "store", work: "fetch 100k models", floor: "C statement into structs", limit: .ratio(1.4))
    public static let save = Budget(
        name: "save", part: "store", work: "save 100k new models", floor: "C prepared insert, same triggers",
        limit: .ratio(1.3))
    public static let merge = Budget(
        name: "merge", part: "merge", work: "merge 100k records, empty table", floor: "byte reader, C insert",
        limit: .ratio(1.3))
    public static let mergeAgain = Budget(
        name: "merge-again", part: "merge", work: "merge the same 100k again", floor: "byte reader, C scan",
        limit: .ratio(1.5))
    public static let memory = Budget(
        name: "memory", part: "merge", work: "memory while merging N bytes", floor: "N",
        limit: .moreBytes(64 * 1_048_576))
    public static let migrateInstantly = Budget(
        name: "migrate-instant", part: "migrate", work: "migrate 1M rows: two columns more, one renamed",
        floor: "C runs the same SQL", limit: .ratioAndSeconds(1.5, 0.05))
    public static let migrateColumn = Budget(
        name: "migrate-column", part: "migrate", work: "migrate 1M rows: a column is required",
        floor: "C runs the same SQL", limit: .ratio(1.2))
    public static let migrateTable = Budget(
        name: "migrate-table", part: "migrate", work: "migrate 1M rows: two columns, so the table",
        floor: "C runs the same SQL", limit: .ratio(1.2))
    public static let migrateTen = Budget(
        name: "migrate-ten", part: "migrate", work: "migrate 1M rows: ten versions that each write a column",
        floor: "C writes the table once", limit: .ratio(1.2))

    /// In the order in which they are shown.
    public static let all = [
        generate, generateAgain, importModel, compileDebug, compileRelease, fetch, save, merge, mergeAgain, memory,
        migrateInstantly, migrateColumn, migrateTable, migrateTen,
    ]

    public static func named(_ name: String) -> Budget? { all.first { $0.name == name } }

    /// How often the floor it may be.
    public var ratio: Double? {
        switch limit {
        case .ratio(let ratio), .ratioAndSeconds(let ratio, _): ratio
        case .moreBytes: nil
        }
    }
}
