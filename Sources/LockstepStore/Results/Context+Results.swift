extension Context {
    /// The records that a request selects, kept as the store has them.
    ///
    /// What cannot be read is told by the results' `error`.
    ///
    /// - Parameters:
    ///   - request: What to show.
    ///   - isolation: The context's isolation domain, where the results are used.
    public func results<Object: Model>(
        _ request: some ModelRequest<Object>, isolation: isolated (any Actor)? = #isolation
    ) -> LiveResults<Object, Unsectioned> {
        let query = ResultsQuery(request, permanentKey: Unsectioned()) { _ in Unsectioned() }
        return LiveResults(query, in: self, isolation: isolation)
    }

    /// The records that a request selects, in sections, kept as the store has them.
    ///
    /// A row's section follows from the values that are saved. Rows of a section keep the request's order.
    ///
    /// - Parameters:
    ///   - request: What to show.
    ///   - key: Gives what the rows of a section have in common.
    ///   - sectionOrder: Whether one section comes before another; without it, sections come as their first rows do.
    ///   - isolation: The context's isolation domain, where the results are used.
    public func results<Object: Model, Key: Hashable>(
        _ request: some ModelRequest<Object>, sectionedBy key: @escaping (Object) -> Key,
        sectionOrder: ((Key, Key) -> Bool)? = nil, isolation: isolated (any Actor)? = #isolation
    ) -> LiveResults<Object, Key> {
        LiveResults(ResultsQuery(request, isOrdered: sectionOrder, key: key), in: self, isolation: isolation)
    }

    /// The records that a request selects, in sections.
    ///
    /// Sections come as their first rows do, or in `sectionOrder`; rows of a section keep the request's order. As
    /// `fetch(_:)`, it asks the store, and leaves out records that are about to be deleted.
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
            let rows = section.rows.filter { $0.recordState != .deleted }
            return rows.isEmpty ? nil : ResultsSection(key: section.key, rows: rows)
        }
    }
}

extension Store {
    /// The records that a request selects, kept as the store has them: live results of the main actor's context.
    ///
    /// ```swift
    /// for await snapshot in store.results(Entry.order(\.timestamp.desc)) {
    ///     print(snapshot.items.map(\.title), snapshot.difference.inserted)
    /// }
    /// ```
    ///
    /// What cannot be read is told by the results' `error`.
    @MainActor public func results<Object: Model>(
        _ request: some ModelRequest<Object>
    ) -> LiveResults<Object, Unsectioned> {
        mainContext.results(request)
    }

    /// The records that a request selects, in sections, kept as the store has them: live results of the main actor's
    /// context.
    ///
    /// ```swift
    /// for await sections in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood) {
    ///     for section in sections { print(section.key, section.map(\.title)) }
    /// }
    /// ```
    ///
    /// A row's section follows from the values that are saved. Rows of a section keep the request's order.
    ///
    /// - Parameters:
    ///   - request: What to show.
    ///   - key: Gives what the rows of a section have in common.
    ///   - sectionOrder: Whether one section comes before another (`<` where keys are `Comparable`); without it,
    ///     sections come as their first rows do.
    @MainActor public func results<Object: Model, Key: Hashable>(
        _ request: some ModelRequest<Object>, sectionedBy key: @escaping (Object) -> Key,
        sectionOrder: ((Key, Key) -> Bool)? = nil
    ) -> LiveResults<Object, Key> {
        mainContext.results(request, sectionedBy: key, sectionOrder: sectionOrder)
    }
}
