// An app imports one module: GRDB's query interface and connections, JSON values and
// their formats are re-exported.
@_exported public import GRDB
@_exported public import LockstepJSON
@_exported public import LockstepValues
