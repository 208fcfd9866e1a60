/// Another list of actions to undo, which follows that of an ``UndoHistory``. It is called in the context's isolation
/// domain.
package protocol UndoFollower: AnyObject {
    /// A step was made, and can be undone.
    func historyDidAddStep(named name: String?)

    /// A step was undone or redone, or all of them were dropped.
    func historyDidChange()
}
