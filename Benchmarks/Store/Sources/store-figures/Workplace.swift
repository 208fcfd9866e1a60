import CStoreFloor
import Contests
import Foundation
import GRDB
import LockstepStore
import Notebook

/// The databases that are measured with, all copies of two: one without entries, one with all of them.
struct Workplace {
    let folder: URL
    let count: Int
    let entries: [CodableEntry]

    init(folder: String, count: Int) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        self.count = count
        entries = Samples.entries(count)
    }

    private var empty: URL { url("empty") }
    private var full: URL { url("full") }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name + ".sqlite") }

    /// Makes the two databases: the store makes the tables and triggers, others fill them, as if a server had sent it
    /// all.
    func prepare() throws {
        try Store(NotebookSchema.self, at: .file(empty)).close()
        let authors = floor_open(empty.path)
        Samples.authors.map(\.uuid).withUnsafeBytes { bytes in
            floor_insert_authors(authors, bytes.baseAddress?.assumingMemoryBound(to: uuid_t.self), 1_000)
        }
        floor_close(authors)
        try FileManager.default.copyItem(at: empty, to: full)
        let pool = try DatabasePool(path: full.path)
        try pool.write { database in
            try database.execute(sql: "INSERT INTO lockstep_quiet DEFAULT VALUES")
            for entry in entries { try entry.insert(database) }
            try database.execute(sql: "DELETE FROM lockstep_quiet")
        }
        try pool.close()
    }

    /// A copy of the database without entries, or of that with all.
    ///
    /// - Parameter hasOutbox: Whether the triggers of the outbox stay. Those who write with GRDB alone have none.
    func copy(full isFull: Bool, _ name: String, hasOutbox: Bool = true) throws -> URL {
        let copy = url(name)
        remove(copy)
        try FileManager.default.copyItem(at: isFull ? full : empty, to: copy)
        if !hasOutbox { DatabaseOutbox.remove(from: copy.path) }
        return copy
    }

    func remove(_ database: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + suffix) }
    }

    func store(_ url: URL) throws -> Store { try Store(NotebookSchema.self, at: .file(url)) }

    func pool(_ url: URL) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA recursive_triggers = ON") }
        return try DatabasePool(path: url.path, configuration: configuration)
    }
}
