import GRDB
import LockstepEvolution

extension ManagedObjectContext {
    /// Returns the records that a request selects as values, read from the store as it was last saved: unsaved changes
    /// of this context are not included.
    ///
    /// If a record's JSON has attributes and foreign keys only, no models are created. For embedded records, there is
    /// one query for each level.
    ///
    /// ```swift
    /// let values = try context.representations(Entry.filter { $0.mood == .happy })
    /// ```
    ///
    /// - Returns: The same as `fetch(request).map(\.representation)` without unsaved changes.
    /// - Throws: As `fetch(_:)`.
    public func representations<Object: Model>(
        _ request: some ModelRequest<Object>
    ) throws -> [Object.Representation] {
        try beginReading()
        let reader = ManagedObjectContext(base)
        defer { reader.close() }
        return try reader.connection.readingOneState { try reader.storedRepresentations(request.request) }
    }

    /// The same as `representations`, for a context that was created for it and has no unsaved changes.
    func storedRepresentations<Object: Model>(
        _ request: QueryInterfaceRequest<Object>
    ) throws -> [Object.Representation] {
        if let type = Object.Representation.self as? any RowRepresentation.Type,
            let values = try self.values(of: request, as: type) as? [Object.Representation]
        {
            return values
        }
        let objects = try fetch(request)
        try loadRepresented(objects)
        let values = objects.map(\.representation)
        try errors.throwReadError()
        return values
    }

    /// Creates the values from rows, without models.
    private func values<Object: Model, Value: RowRepresentation>(
        of request: QueryInterfaceRequest<Object>, as type: Value.Type
    ) throws -> Any {
        let plan = Object.entity.plan
        var values: [Value] = []
        try read { database in
            let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
            try plan.checkColumns(of: statement)
            try connection.forEachRow(of: statement, in: database, plan: plan) { row in type.append(row, to: &values) }
        }
        return values
    }

    // MARK: Other records in representations

    /// Loads the records that the representations of these contain, each level in as many queries as it has
    /// relationships.
    private func loadRepresented(_ objects: [ManagedObject]) throws {
        var known = Set(objects.lazy.map { ObjectIdentifier($0) })
        var levels = [objects]
        while let owners = levels.popLast() {
            guard let plan = owners.first?.records?.plan else { continue }
            for (relationship, description) in plan.relationships.enumerated() where description.isRepresented {
                try LinkLoader(self).load(relationship, of: owners)
                guard description.isEmbedded else { continue }
                levels.append(
                    LinkLoader.linkedObjects(relationship, of: owners).filter {
                        known.insert(ObjectIdentifier($0)).inserted
                    })
            }
        }
    }
}

extension RelationshipDescription {
    /// Whether a representation contains anything of the records at the other end.
    var isRepresented: Bool {
        switch wire {
        case .none: false
        case .id: destination.remoteColumn != nil
        case .ids, .embedded: true
        }
    }
}
