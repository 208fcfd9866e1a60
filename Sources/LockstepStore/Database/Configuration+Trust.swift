package import GRDB

extension Configuration {
    /// Makes connections that do not trust what a file contains in addition to its rows.
    ///
    /// Its triggers, views, checks and indexes can use only what SQLite knows to be harmless, and not the functions
    /// that an app adds (https://www.sqlite.org/pragma.html#pragma_trusted_schema). This is for connections that look
    /// at a file, or do something with it that needs no trigger of the app. It is not for those of an open store: some
    /// versions of SQLite, such as 3.40, do not count full-text search as harmless, which apps fill by triggers.
    package mutating func distrustSchema() {
        prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
    }
}
