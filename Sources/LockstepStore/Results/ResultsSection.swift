/// The rows of a request that share a section key, in the request's order.
///
/// ```swift
/// for section in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood).sections {
///     print(section.key, section.count, section.first?.title ?? "")
/// }
/// ```
public struct ResultsSection<Key: Hashable, Object: Model>: RandomAccessCollection, Identifiable {
    /// The key that its rows have in common.
    public let key: Key
    /// Untyped, so that the code that computes differences is compiled once. Each is an `Object`.
    let rows: [ManagedObject]

    init(key: Key, rows: [ManagedObject]) {
        self.key = key
        self.rows = rows
    }

    /// The key. Within a snapshot, the keys of sections are unique.
    public var id: Key { key }

    /// The rows as an array, recomputed on each access. The section itself is a collection of them.
    public var items: [Object] { Array(self) }

    @_spi(Requirements) public var startIndex: Int { 0 }
    @_spi(Requirements) public var endIndex: Int { rows.count }

    public subscript(position: Int) -> Object { unsafeDowncast(rows[position], to: Object.self) }
}

/// The section key of results without sections: they have one section, even if that is empty.
public struct Unsectioned: Hashable, Sendable {
    init() {}
}
