import Foundation
import GRDBSQLite
import LockstepImport
import Testing

/// A database that is made for a test, in a folder of its own.
final class SQLiteFixture {
    static let names = ["Ledger", "Clinic", "Attic"]

    let name: String
    let folder: URL
    var path: String { folder.appendingPathComponent("\(name).sqlite").path }

    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/SQLite")

    /// - Parameter sql: The statements that make it; those of the fixture if `nil`.
    init(_ name: String = "Shop", _ sql: String? = nil) throws {
        self.name = name
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let statements =
            try sql
            ?? String(contentsOf: Self.fixtures.appendingPathComponent("\(name).sql"), encoding: .utf8)
        try SQLiteTool(path).run(statements)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func imported(hasRows: Bool = false) throws -> ImportedSchema {
        try importSchema([ImportInput(path: path)], options: ImportOptions(hasRows: hasRows))
    }

    /// The names and bytes of all files beside it, and its own.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
        return files
    }

    func write(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: path)) }

    /// The script of `--rows`, which finds the database from any folder.
    func script(_ imported: ImportedSchema) throws -> String {
        let text = try #require(imported.companions.first?.text)
        let uri = "ATTACH 'file:\(path)?mode=ro'"
        return text.replacingOccurrences(of: "ATTACH 'file:\(name).sqlite?mode=ro'", with: uri)
    }
}

/// Runs SQL as the program `sqlite3 -bail` does.
final class SQLiteTool {
    struct Failure: Error { let message: String }

    private var handle: OpaquePointer?

    init(_ path: String) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else { throw Failure(message: "cannot open") }
    }

    deinit { sqlite3_close_v2(handle) }

    /// - Returns: The rows of all statements, as texts.
    @discardableResult
    func run(_ sql: String) throws -> [[String?]] {
        final class Rows { var rows: [[String?]] = [] }
        let rows = Rows()
        var message: UnsafeMutablePointer<CChar>?
        let code = sqlite3_exec(
            handle, sql,
            { context, count, values, _ in
                guard let context, let values else { return 0 }
                let row = (0..<Int(count)).map { values[$0].map { String(cString: $0) } }
                Unmanaged<Rows>.fromOpaque(context).takeUnretainedValue().rows.append(row)
                return 0
            }, Unmanaged.passUnretained(rows).toOpaque(), &message)
        defer { sqlite3_free(message) }
        guard code == SQLITE_OK else { throw Failure(message: message.map { String(cString: $0) } ?? "\(code)") }
        return rows.rows
    }

    /// Runs all statements, also those after one that fails, as `sqlite3` does without `-bail`.
    ///
    /// - Returns: What has failed.
    func runToEnd(_ sql: String) -> [String] {
        var failures: [String] = []
        sql.withCString { start in
            var next: UnsafePointer<CChar>? = start
            while let current = next, current.pointee != 0 {
                var statement: OpaquePointer?
                var code = sqlite3_prepare_v2(handle, current, -1, &statement, &next)
                if code == SQLITE_OK, statement != nil {
                    repeat { code = sqlite3_step(statement) } while code == SQLITE_ROW
                }
                if code != SQLITE_DONE, code != SQLITE_OK {
                    failures.append(String(cString: sqlite3_errmsg(handle)))
                }
                sqlite3_finalize(statement)
            }
        }
        return failures
    }
}
