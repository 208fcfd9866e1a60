extension ManagedObjectContext {
    /// Returns live results: the records that a request selects, updated with each change of the store.
    ///
    /// If the records cannot be read, the results' `error` is set.
    ///
    /// - Parameters:
    ///   - request: The records to show.
    ///   - isolation: The context's isolation domain, where the results are used.
    public func results<Object: Model>(
        _ request: some ModelRequest<Object>, isolation: isolated (any Actor)? = #isolation
    ) -> LiveResults<Object, Unsectioned> {
        let query = ResultsQuery(request, permanentKey: Unsectioned()) { _ in Unsectioned() }
        return LiveResults(query, in: self, isolation: isolation)
    }

    /// Returns live results in sections: the records that a request selects, updated with each change of the store.
    ///
    /// A row's section depends on saved values. Rows of a section keep the request's order.
    ///
    /// - Parameters:
    ///   - request: The records to show.
    ///   - key: Returns the section key of a row.
    ///   - sectionOrder: Whether one section comes before another; by default, sections have the order of their first
    ///     rows.
    ///   - isolation: The context's isolation domain, where the results are used.
    public func results<Object: Model, Key: Hashable>(
        _ request: some ModelRequest<Object>, sectionedBy key: @escaping (Object) -> Key,
        sectionOrder: ((Key, Key) -> Bool)? = nil, isolation: isolated (any Actor)? = #isolation
    ) -> LiveResults<Object, Key> {
        LiveResults(ResultsQuery(request, isOrdered: sectionOrder, key: key), in: self, isolation: isolation)
    }

    /// Returns the records that a request selects, in sections.
    ///
    /// Sections have the order of their first rows, or `sectionOrder`; rows of a section keep the request's order. As
    /// `fetch(_:)`, it queries the store, and leaves out records that are about to be deleted.
    ///
    /// ```swift
    /// for section in try context.sections(Entry.order(\.timestamp.desc), by: \.mood) {
    ///     print(section.key, section.count)
    /// }
    /// ```
    ///
    /// - Throws: As `fetch(_:)`.
    public func sections<Object: Model, Key: Hashable>(
        _ request: some ModelRequest<Object>, by key: @escaping (Object) -> Key,
        sectionOrder: ((Key, Key) -> Bool)? = nil
    ) throws -> [ResultsSection<Key, Object>] {
        try beginReading()
        return try ResultsQuery(request, isOrdered: sectionOrder, key: key).sections(in: self).compactMap { section in
            let rows = section.rows.filter { $0.state != .deleted }
            return rows.isEmpty ? nil : ResultsSection(key: section.key, rows: rows)
        }
    }
}

extension Store {
    /// Returns live results of the main actor's context: the records that a request selects, updated with each change.
    ///
    /// ```swift
    /// for await snapshot in store.results(Entry.order(\.timestamp.desc)) {
    ///     print(snapshot.items.map(\.title), snapshot.difference.inserted)
    /// }
    /// ```
    ///
    /// If the records cannot be read, the results' `error` is set.
    @MainActor public func results<Object: Model>(
        _ request: some ModelRequest<Object>
    ) -> LiveResults<Object, Unsectioned> {
        mainContext.results(request)
    }

    /// Returns live results of the main actor's context in sections: the records that a request selects, updated with
    /// each change.
    ///
    /// ```swift
    /// for await sections in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood) {
    ///     for section in sections { print(section.key, section.map(\.title)) }
    /// }
    /// ```
    ///
    /// A row's section depends on saved values. Rows of a section keep the request's order.
    ///
    /// - Parameters:
    ///   - request: The records to show.
    ///   - key: Returns the section key of a row.
    ///   - sectionOrder: Whether one section comes before another (`<` if keys are `Comparable`); by default, sections
    ///     have the order of their first rows.
    @MainActor public func results<Object: Model, Key: Hashable>(
        _ request: some ModelRequest<Object>, sectionedBy key: @escaping (Object) -> Key,
        sectionOrder: ((Key, Key) -> Bool)? = nil
    ) -> LiveResults<Object, Key> {
        mainContext.results(request, sectionedBy: key, sectionOrder: sectionOrder)
    }
}
