import LockstepStore

/// The testing library has an `Attachment` too.
typealias Attachment = LockstepStore.Attachment
