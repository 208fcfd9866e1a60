/// The rows of a request that share a section key, in the request's order.
///
/// ```swift
/// for section in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood).sections {
///     print(section.key, section.count, section.first?.title ?? "")
/// }
/// ```
public struct ResultsSection<Key: Hashable, Object: Model>: RandomAccessCollection, Identifiable {
    /// What its rows have in common.
    public let key: Key
    /// Without their type, so that differences are worked out by code that is compiled once. Every one is an `Object`.
    let rows: [ManagedObject]

    init(key: Key, rows: [ManagedObject]) {
        self.key = key
        self.rows = rows
    }

    /// The key: within one snapshot no two sections have the same.
    public var id: Key { key }

    /// The rows as an array. It is made anew each time; the section itself is a collection of them.
    public var items: [Object] { Array(self) }

    public var startIndex: Int { 0 }
    public var endIndex: Int { rows.count }

    public subscript(position: Int) -> Object { unsafeDowncast(rows[position], to: Object.self) }
}

/// The section key of results that are not sectioned: they have one section, even when that is empty.
public struct Unsectioned: Hashable, Sendable {
    init() {}
}
