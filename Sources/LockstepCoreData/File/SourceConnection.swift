import Foundation
internal import GRDBSQLite

/// A connection that reads a Core Data store and never writes it.
final class SourceConnection {
    let url: URL
    private let pointer: OpaquePointer

    /// - Throws: ``CoreDataError`` if the file cannot be opened.
    init(_ url: URL) throws(CoreDataError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw CoreDataError(
                .cannotOpen, url: url, reason: isFolder.boolValue ? "it is a folder" : "there is no such file",
                remedy: "Check the path. Core Data's default is NAME.sqlite in the folder of application support.")
        }
        self.url = url
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(Self.uri(url), &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = Self.error(code, message: opened.map { String(cString: sqlite3_errmsg($0)) } ?? "", at: url)
            sqlite3_close_v2(opened)
            throw error
        }
        pointer = opened
        sqlite3_busy_timeout(opened, 5_000)
        // What a view or an index of the file calls is not run with the rights of the app.
        sqlite3_exec(opened, "PRAGMA trusted_schema = OFF", nil, nil, nil)
    }

    deinit { sqlite3_close_v2(pointer) }

    /// Without a log, nothing else has the file open, and it is read as it is. SQLite would create an empty log and an
    /// index beside a file that is normally written with a log. "If the immutable query parameter is set, SQLite does
    /// no locking and change detection" (https://sqlite.org/uri.html).
    ///
    /// With a log, SQLite reads it, too. A connection that is read-only neither changes it nor moves it into the file.
    private static func uri(_ url: URL) -> String {
        let isAlone = !["-wal", "-journal"].contains { FileManager.default.fileExists(atPath: url.path + $0) }
        let path = url.path.utf8.map { byte in
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-".utf8.contains(byte)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return "file:\(path.joined())?\(isAlone ? "immutable=1" : "mode=ro")"
    }

    func statement(_ sql: String) throws(CoreDataError) -> SourceStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(pointer, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw lastError() }
        return SourceStatement(statement, connection: self)
    }

    /// Runs a statement without rows.
    func execute(_ sql: String) throws(CoreDataError) { _ = try statement(sql).step() }

    /// Checks that the file has all of its pages. Of one that it has a part of, SQLite reads the rest as zeros, and can
    /// find no rows there and no error.
    func checkSize() throws(CoreDataError) {
        // With a log, pages can be in that only.
        guard (Self.size(url.path + "-wal") ?? 0) == 0, let count = try statement("PRAGMA page_count").numbers().first,
            let size = try statement("PRAGMA page_size").numbers().first,
            let found = Self.size(url.path)
        else { return }
        if found < count * size {
            throw Self.error(SQLITE_CORRUPT, message: "it has \(found) of \(count * size) bytes", at: url)
        }
    }

    private static func size(_ path: String) -> Int64? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.int64Value
    }

    func lastError() -> CoreDataError {
        Self.error(sqlite3_extended_errcode(pointer), message: String(cString: sqlite3_errmsg(pointer)), at: url)
    }

    private static func error(_ code: CInt, message: String, at url: URL) -> CoreDataError {
        let number = Int(code)
        switch (code & 0xFF, code) {
        case (SQLITE_NOTADB, _):
            return CoreDataError(
                .notADatabase, url: url, reason: "it is not an SQLite file, or it is encrypted",
                remedy: "Name the file of the Core Data store. An encrypted file must be decrypted first.",
                resultCode: number)
        case (SQLITE_CORRUPT, _), (SQLITE_FORMAT, _):
            return CoreDataError(
                .damaged, url: url, reason: "the file is damaged: \(message)",
                remedy: "Restore it from a backup, and copy its rows again.",
                resultCode: number)
        case (SQLITE_READONLY, _):
            return CoreDataError(
                .needsRecovery, url: url,
                reason: "a process ended while it wrote the file, and left a journal: \(message)",
                remedy: "Open it once with Core Data, close it, and then copy the rows.", resultCode: number)
        case (SQLITE_CANTOPEN, _), (SQLITE_PERM, _), (SQLITE_AUTH, _):
            return CoreDataError(
                .cannotOpen, url: url, reason: "it cannot be opened: \(message)",
                remedy: "Check its permissions, and those of its folder.",
                resultCode: number)
        case (SQLITE_BUSY, _), (SQLITE_LOCKED, _):
            return CoreDataError(
                .unreadable, url: url, reason: "something else is writing it: \(message)",
                remedy: "Close the Core Data stack, and then copy the rows.", resultCode: number)
        default:
            return CoreDataError(
                .unreadable, url: url, reason: "SQLite reports: \(message)",
                remedy: "See SQLite's result code \(code).",
                resultCode: number)
        }
    }
}
