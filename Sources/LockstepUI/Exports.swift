// A file with views imports one module: the sync, and with it the store, are re-exported.
@_exported public import LockstepSync
