// An app imports one module: merging, requests and the store are re-exported with the sync.
@_exported public import LockstepHTTP
@_exported public import LockstepMerge
@_exported public import LockstepStore
