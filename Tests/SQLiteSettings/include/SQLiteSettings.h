/// Nothing to call: SQLite is configured when the process starts.
