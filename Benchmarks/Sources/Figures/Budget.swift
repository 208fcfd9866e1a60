/// What some work may cost, beside the least that the same must cost.
public struct Budget: Sendable {
    public enum Limit: Sendable {
        /// So many times the floor.
        case ratio(Double)
        /// So many times the floor, and so many seconds.
        case ratioAndSeconds(Double, Double)
        /// So many bytes more than the floor.
        case moreBytes(Double)
        /// So many bytes.
        case bytes(Double)
    }

    /// What options and the file of results call it.
    public let name: String
    /// What `run --only` measures it with.
    public let part: String
    public let work: String
    public let floor: String
    public let limit: Limit

    public static let check = Budget(
        name: "check", part: "generate", work: "check 1,000 entities", floor: "libyaml reads the schema",
        limit: .ratio(3))
    public static let generate = Budget(
        name: "generate", part: "generate", work: "generate 1,000 entities, everything",
        floor: "libyaml reads the schema, C writes the same files", limit: .ratio(3))
    public static let generateAgain = Budget(
        name: "generate-again", part: "generate", work: "generate again, nothing changed",
        floor: "libyaml, C reads the same files", limit: .ratio(3))
    public static let generateChanged = Budget(
        name: "generate-changed", part: "generate", work: "generate again, one entity changed",
        floor: "libyaml, C reads the same files", limit: .ratio(4))
    public static let importModel = Budget(
        name: "import", part: "import", work: "import a Core Data model of 1,000 entities",
        floor: "libxml2 reads the model, C writes the same file", limit: .ratio(8))
    public static let compileDebug = Budget(
        name: "compile-debug", part: "compile", work: "compile the output, per entity, debug",
        floor: "the same entities written by hand", limit: .ratio(1))
    public static let compileRelease = Budget(
        name: "compile-release", part: "compile", work: "compile the output, per entity, release",
        floor: "the same entities written by hand", limit: .ratio(1.15))
    public static let fetch = Budget(
        name: "fetch", part: "store", work: "fetch 100k models", floor: "C statement into structs", limit: .ratio(1.2))
    public static let representations = Budget(
        name: "representations", part: "store", work: "fetch 100k as representations",
        floor: "C statement into structs", limit: .ratio(1.2))
    public static let find = Budget(
        name: "find", part: "store", work: "find a model by id", floor: "C statement into a struct",
        limit: .ratio(1.5))
    public static let prefetch = Budget(
        name: "prefetch", part: "store", work: "fetch 1,000 models and their authors, prefetched",
        floor: "two C statements into structs", limit: .ratio(2))
    public static let readOnMain = Budget(
        name: "read-main", part: "store", work: "read a text of a model, main context", floor: "a stored property",
        limit: .ratio(2))
    public static let readElsewhere = Budget(
        name: "read-elsewhere", part: "store", work: "read a text of a model, context of `perform`",
        floor: "a stored property", limit: .ratio(1.1))
    public static let liveModel = Budget(
        name: "live-model", part: "store", work: "memory of one live model", floor: "C structs", limit: .bytes(350))
    public static let save = Budget(
        name: "save", part: "store", work: "save 100k new models", floor: "C prepared insert, same triggers",
        limit: .ratio(1.3))
    public static let saveChange = Budget(
        name: "save-change", part: "store", work: "save 1 change, 1,000 live models", floor: "C update and commit",
        limit: .ratio(1.5))
    public static let live = Budget(
        name: "live", part: "store", work: "live results of 10,000 rows, 1 changed",
        floor: "C update, commit and statement", limit: .ratio(1.3))
    public static let capture = Budget(
        name: "capture", part: "sync", work: "save 100k new models, recorded in the outbox",
        floor: "the same, not recorded", limit: .ratio(2))
    public static let merge = Budget(
        name: "merge", part: "merge", work: "merge 100k records, empty table", floor: "byte reader, C insert",
        limit: .ratio(1.3))
    public static let mergeAgain = Budget(
        name: "merge-again", part: "merge", work: "merge the same 100k again", floor: "byte reader, C compares",
        limit: .ratio(1.5))
    public static let mergeLinksAgain = Budget(
        name: "merge-links-again", part: "merge", work: "merge the same 10k posts with links again",
        floor: "byte reader, C compares", limit: .ratio(2))
    public static let mergeTreeAgain = Budget(
        name: "merge-tree-again", part: "merge", work: "merge the same tree of 45,000 records again",
        floor: "byte reader, C compares", limit: .ratio(2))
    public static let streamed = Budget(
        name: "streamed", part: "merge", work: "merge 1M records, streamed, per record",
        floor: "C inserts as many from one piece", limit: .ratio(1.25))
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
    public static let serverWrite = Budget(
        name: "server-write", part: "server", work: "write 100 rows of PostgreSQL, with the triggers of the feed",
        floor: "the same without them", limit: .ratio(1.6))
    public static let serverPage = Budget(
        name: "server-page", part: "server", work: "a page of 1,000 changes from PostgreSQL",
        floor: "the same rows by a SELECT to JSON, with the policies", limit: .ratio(1.3))
    public static let serverPush = Budget(
        name: "server-push", part: "server", work: "a push of 500 records to PostgreSQL",
        floor: "one INSERT … SELECT of as many, with the policies", limit: .ratio(2))
    public static let serverNothing = Budget(
        name: "server-nothing", part: "server", work: "nothing new in PostgreSQL",
        floor: "a row by its key, with the policies", limit: .ratio(1.5))
    public static let serverFeed = Budget(
        name: "server-feed", part: "server", work: "10 changes of 1,000,000 records in PostgreSQL",
        floor: "10 changes of 10,000 records", limit: .ratio(1.1))

    /// In the order in which they are shown.
    public static let all = [
        check, generate, generateAgain, generateChanged, importModel, compileDebug, compileRelease, fetch,
        representations, find, prefetch, readOnMain, readElsewhere, liveModel, save, saveChange, live, merge,
        mergeAgain, mergeLinksAgain, mergeTreeAgain, streamed, memory, migrateInstantly, migrateColumn, migrateTable,
        migrateTen, capture, serverWrite, serverPage, serverPush, serverNothing, serverFeed,
    ]

    public static func named(_ name: String) -> Budget? { all.first { $0.name == name } }

    /// How often the floor it may be.
    public var ratio: Double? {
        switch limit {
        case .ratio(let ratio), .ratioAndSeconds(let ratio, _): ratio
        case .moreBytes, .bytes: nil
        }
    }
}
