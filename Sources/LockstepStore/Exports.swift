// An app imports one module: rows, values and errors, with GRDB and JSON, are re-exported with the store.
@_exported public import LockstepTables
