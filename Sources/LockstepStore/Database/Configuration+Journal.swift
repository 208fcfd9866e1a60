import GRDB
internal import GRDBSQLite

extension Configuration {
    /// Makes connections that flush to the disk itself at the points at which SQLite relies on the order.
    ///
    /// On Apple platforms, `fsync` leaves pages in the cache of the drive, which can write them in any order
    /// (`DiskFlush`). A checkpoint requires one: the journal is on the disk before the file is written, and the file
    /// before the journal is used again (https://www.sqlite.org/pragma.html#pragma_checkpoint_fullfsync). Apple's build
    /// of SQLite has this setting by default, others do not. It has no effect elsewhere.
    mutating func flushCheckpoints() { prepareWriting { try $0.execute(sql: "PRAGMA checkpoint_fullfsync = ON") } }

    /// Makes connections that flush each commit to the disk itself, for a copy that the app relies on.
    mutating func flushCommits() { prepareWriting { try $0.execute(sql: "PRAGMA fullfsync = ON") } }

    /// Makes connections of which the last one, when it is closed, leaves the journal and its index, or removes them.
    ///
    /// A process that can only read a file in WAL mode cannot create them, and fails to open the file without them:
    /// https://www.sqlite.org/wal.html#read_only_databases
    mutating func keepJournal(_ isKept: Bool) {
        prepareWriting { database in
            var flag: CInt = isKept ? 1 : 0
            // An encrypted file, for example, may have a file system of its own without this.
            _ = sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &flag)
        }
    }

    private mutating func prepareWriting(_ prepare: @escaping @Sendable (Database) throws -> Void) {
        prepareDatabase { if !$0.configuration.readonly { try prepare($0) } }
    }
}
