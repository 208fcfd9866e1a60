import GRDB

extension ManagedObjectContext {
    /// Loads a relationship of records that were already fetched, in one query for each relationship of the path.
    ///
    /// ```swift
    /// try context.prefetch(\.author, of: entries)
    /// ```
    ///
    /// - Parameters:
    ///   - relationship: A relationship of the model, or a path of several: `\.author`, `\.author.employer`.
    ///   - objects: Records of this context; others are ignored.
    /// - Throws: As `fetch(_:)`.
    public func prefetch<Object: Model, Destination>(
        _ relationship: (Object.Relationships.Type) -> RelationshipHandle<Object, Destination>,
        of objects: some Sequence<Object>
    ) throws {
        try beginReading()
        let path = relationship(Object.Relationships.self).path
        try prefetch([path], of: objects.filter { $0.context === self })
    }

    /// Loads relationships of objects, each in one query.
    func prefetch<Object: Model>(_ paths: [PrefetchPath], of objects: [Object]) throws {
        guard !paths.isEmpty, !objects.isEmpty else { return }
        try prefetch(paths.map { $0.names[...] }, of: objects)
    }

    private func prefetch(_ paths: [ArraySlice<String>], of owners: [ManagedObject]) throws {
        guard let plan = owners.first?.records?.plan else { return }
        for (index, relationship) in plan.relationships.enumerated() {
            let own = paths.filter { $0.first == relationship.name }
            guard !own.isEmpty else { continue }
            let rest = own.map { $0.dropFirst() }.filter { !$0.isEmpty }
            try LinkLoader(self).load(index, of: owners)
            if !rest.isEmpty { try prefetch(rest, of: LinkLoader.linkedObjects(index, of: owners)) }
        }
    }
}
