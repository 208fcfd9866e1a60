// An app imports one module: GRDB's query interface and connections, and JSON values, are re-exported.
@_exported public import GRDB
@_exported public import LockstepJSON
