/// A function of an app that resolves the conflicts of an entity's records. It knows a model, so a merge does not
/// call it itself: see ``ConflictFunctionCaller``.
package protocol ConflictFunction: Sendable {
    /// The entity, by its name in the schema.
    var entity: String { get }
}
