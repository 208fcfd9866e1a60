/// A relationship of a model, or a path of several, to be prefetched.
///
/// Generated code has one for each relationship, in the model's `Relationships`. A handle has the destination's handles
/// as members, so a path is written with dots.
///
/// ```swift
/// Project.all().prefetch(\.jobSheets.components)
/// ```
@dynamicMemberLookup
public struct RelationshipHandle<Source: Model, Destination: Model>: Sendable {
    package let path: PrefetchPath

    /// Creates a handle from the relationship's name in the schema. Generated code calls it.
    @_spi(Generated) public init(_ name: String) { path = PrefetchPath(names: [name]) }

    private init(_ path: PrefetchPath) { self.path = path }

    /// The path extended by a relationship of the destination.
    public subscript<Next: Model>(
        dynamicMember next: KeyPath<Destination.Relationships.Type, RelationshipHandle<Destination, Next>>
    ) -> RelationshipHandle<Source, Next> {
        RelationshipHandle<Source, Next>(
            PrefetchPath(names: path.names + Destination.Relationships.self[keyPath: next].path.names))
    }
}
