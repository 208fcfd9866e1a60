/// Nothing to call: SQLite is configured when this code is loaded.
