import Foundation
internal import GRDBSQLite

/// Opens a database without changing it, or a file beside it.
struct SQLiteFile {
    static let header = Array("SQLite format 3\0".utf8)

    private let input: ImportInput

    init(_ input: ImportInput) { self.input = input }

    /// - Throws: ``ImportFailure`` if it cannot be read.
    func open() throws(ImportFailure) -> SQLiteConnection {
        try checkBeginning()
        do throws(SQLiteConnection.Refusal) {
            let connection = try connect()
            // The first statement reads the schema, so that what is wrong with the file is found here.
            _ = try connection.run("PRAGMA trusted_schema = OFF")
            _ = try connection.run("PRAGMA query_only = ON")
            _ = try connection.run("SELECT count(*) FROM sqlite_schema")
            return connection
        } catch { throw error.failure(input.path) }
    }

    private func checkBeginning() throws(ImportFailure) {
        let beginning = input.beginning(100)
        if beginning.isEmpty {
            throw ImportFailure(input.path, reason: "It is empty, or cannot be read. Check the path.")
        }
        guard beginning.starts(with: Self.header) else {
            throw ImportFailure(
                input.path,
                reason: "It does not begin as an SQLite database does: it is encrypted, damaged or something else. "
                    + "Import a copy without encryption.")
        }
        if beginning.count < 100 {
            throw ImportFailure(input.path, reason: "It is cut off within its header. Get a complete copy.")
        }
        try checkSize(beginning)
    }

    /// SQLite reads the pages that are missing at the end as empty ones. The number of pages in the header counts if it
    /// was written with the last change, and if no journal has another: https://www.sqlite.org/fileformat.html, 1.3.8.
    private func checkSize(_ header: [UInt8]) throws(ImportFailure) {
        guard !input.isStream, header[24..<28] == header[92..<96] else { return }
        let file = URL(fileURLWithPath: input.path).resolvingSymlinksInPath().path
        if ["-wal", "-journal"].contains(where: { Self.size(file + $0) > 0 }) { return }
        let pageSize = Self.number(header[16..<18]) == 1 ? 65_536 : Self.number(header[16..<18])
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else { return }
        let expected = pageSize * Self.number(header[28..<32])
        let size = Self.size(file)
        guard size < expected else { return }
        throw ImportFailure(
            input.path, reason: "It is cut off: it has \(size) of \(expected) bytes. Get a complete copy.")
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// A journal beside the file has changes that belong to it. Reading them would create or change files, so a copy is
    /// read. With a WAL file the header says so, and opening it even for reading creates a `-shm` file; where there is
    /// no `-wal` file, nothing is missed by `immutable`, which creates none.
    private func connect() throws(SQLiteConnection.Refusal) -> SQLiteConnection {
        if input.isStream { return try copy(["": try contents()]) }
        let file = URL(fileURLWithPath: input.path).resolvingSymlinksInPath()
        let isWAL = input.beginning(20).dropFirst(18).contains(2)
        if isWAL {
            if Self.size(file.path + "-wal") > 0 { return try copy(of: file, with: "-wal") }
            return try SQLiteConnection(uri: file.absoluteString + "?immutable=1", path: input.path)
        }
        do throws(SQLiteConnection.Refusal) {
            let connection = try SQLiteConnection(uri: file.absoluteString + "?mode=ro", path: input.path)
            _ = try connection.run("SELECT count(*) FROM sqlite_schema")
            return connection
        } catch {
            // A journal that a crash has left must be rolled back first.
            guard error.primaryCode == SQLITE_READONLY, Self.size(file.path + "-journal") > 0 else { throw error }
            return try copy(of: file, with: "-journal")
        }
    }

    private func contents() throws(SQLiteConnection.Refusal) -> Data {
        do throws(ImportFailure) { return try input.read() } catch {
            throw SQLiteConnection.Refusal(code: SQLITE_CANTOPEN, message: error.reason)
        }
    }

    private func copy(of file: URL, with suffix: String) throws(SQLiteConnection.Refusal) -> SQLiteConnection {
        let names = [file.path, file.path + suffix]
        let before = names.map(Self.state)
        let folder = try makeFolder()
        do {
            try FileManager.default.copyItem(atPath: names[0], toPath: folder.path + "/copy.sqlite")
            try FileManager.default.copyItem(atPath: names[1], toPath: folder.path + "/copy.sqlite" + suffix)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw SQLiteConnection.Refusal(code: SQLITE_CANTOPEN, message: error.localizedDescription)
        }
        guard names.map(Self.state) == before else {
            try? FileManager.default.removeItem(at: folder)
            throw SQLiteConnection.Refusal(code: SQLITE_BUSY, message: "it changes while it is read")
        }
        return try open(copyIn: folder)
    }

    private func copy(_ files: [String: Data]) throws(SQLiteConnection.Refusal) -> SQLiteConnection {
        let folder = try makeFolder()
        for (suffix, data) in files {
            guard FileManager.default.createFile(atPath: folder.path + "/copy.sqlite" + suffix, contents: data) else {
                try? FileManager.default.removeItem(at: folder)
                throw SQLiteConnection.Refusal(code: SQLITE_FULL, message: "a copy cannot be written")
            }
        }
        return try open(copyIn: folder)
    }

    private func open(copyIn folder: URL) throws(SQLiteConnection.Refusal) -> SQLiteConnection {
        let uri = folder.appendingPathComponent("copy.sqlite").absoluteString
        return try SQLiteConnection(uri: uri, path: input.path, copy: folder)
    }

    private func makeFolder() throws(SQLiteConnection.Refusal) -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw SQLiteConnection.Refusal(code: SQLITE_FULL, message: error.localizedDescription) }
        return folder
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    /// Changes with every write.
    private static func state(_ path: String) -> [String] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return [String(size(path)), String(date)]
    }
}
