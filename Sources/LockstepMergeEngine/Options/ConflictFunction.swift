/// Resolves the conflicts of an entity's records. What it does is up to the ``ConflictFunctionCaller``.
package protocol ConflictFunction: Sendable {
    /// The entity, by its name in the schema.
    var entity: String { get }
}
