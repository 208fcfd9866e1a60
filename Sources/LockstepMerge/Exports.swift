// An app that only merges imports one module: the store is visible with it.
@_exported public import LockstepMergeEngine
@_exported public import LockstepStore
