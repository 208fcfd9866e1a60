public import LockstepStore

/// The rows of a list on screen, and their sections.
///
/// ```swift
/// ForEach(entries) { EntryRow(entry: $0) }
/// ForEach(entries.sections) { section in
///     Section(section.key.rawValue) { ForEach(section) { EntryRow(entry: $0) } }
/// }
/// ```
public struct ResultsRows<Object: Model, Key: Hashable>: RandomAccessCollection {
    /// The sections, in order. Results without sections have one.
    public let sections: [ResultsSection<Key, Object>]

    /// Why the rows may be out of date: the latest change could not be read, or the environment has no store.
    public let error: StoreError?

    /// For each section, the position of its first row; and the number of all rows.
    private let starts: [Int]

    init(_ sections: [ResultsSection<Key, Object>], error: StoreError?) {
        self.sections = sections
        self.error = error
        starts = sections.reduce(into: [0]) { starts, section in starts.append((starts.last ?? 0) + section.count) }
    }

    @_spi(Requirements) public var startIndex: Int { 0 }
    @_spi(Requirements) public var endIndex: Int { starts.last ?? 0 }

    public subscript(position: Int) -> Object {
        if sections.count == 1 { return sections[0][position] }
        // The last section that begins at the position or before it.
        var (low, high) = (0, sections.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return sections[low][position - starts[low]]
    }
}
