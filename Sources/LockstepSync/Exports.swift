// An app imports one module: merging, requests and the store are re-exported with the sync.
@_exported public import LockstepMerge
@_exported public import LockstepRemotes
@_exported public import LockstepStore
