/// The state of live results: sections of rows, and the difference from what the reader received before.
///
/// The rows are the context's own objects: they belong to its isolation domain, as the snapshot does.
public struct ResultsSnapshot<Object: Model, Key: Hashable>: RandomAccessCollection {
    /// The sections, in order. Results without sections have one.
    public let sections: [ResultsSection<Key, Object>]

    /// The difference from the reader's last snapshot; for the first one, from a list without sections.
    public internal(set) var difference: ResultsDifference

    /// The number of snapshots before it.
    let number: Int

    /// The rows of all sections. The array is recomputed on each access.
    public var items: [Object] {
        var items: [Object] = []
        items.reserveCapacity(itemCount)
        for section in sections { items.append(contentsOf: section) }
        return items
    }

    /// The number of rows in all sections.
    package var itemCount: Int { sections.reduce(0) { $0 + $1.count } }

    @_spi(Requirements) public var startIndex: Int { 0 }
    @_spi(Requirements) public var endIndex: Int { sections.count }

    public subscript(position: Int) -> ResultsSection<Key, Object> { sections[position] }

    /// The row at a position of this snapshot.
    public subscript(position: ResultsPosition) -> Object { sections[position.section][position.item] }

    /// Updates a list of your own from the reader's last snapshot to this one.
    ///
    /// The value of a remaining row is kept and moved to its new position; `make` is called for inserted and updated
    /// rows.
    ///
    /// ```swift
    /// var titles: [[String]] = []
    /// for await snapshot in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood) {
    ///     snapshot.apply(to: &titles) { $0.title }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - list: A value for each row of the last snapshot, section by section; empty before the first one.
    ///   - make: Returns the value for a row.
    /// - Throws: Errors of `make`; the list is unchanged then.
    public func apply<Value>(to list: inout [[Value]], make: (Object) throws -> Value) rethrows {
        var arrivals: [Int: [(item: Int, value: Value)]] = [:]
        for position in difference.inserted {
            arrivals[position.section, default: []].append((position.item, try make(self[position])))
        }
        for move in difference.moved {
            arrivals[move.to.section, default: []].append((move.to.item, list[move.from.section][move.from.item]))
        }
        var kept = difference.withoutLeavers(list)[...]
        var applied: [[Value]] = []
        applied.reserveCapacity(sections.count)
        let newSections = Set(difference.insertedSections)
        for (index, section) in sections.enumerated() {
            if newSections.contains(index) {
                applied.append(try section.map(make))
            } else {
                applied.append(ResultsDifference.inserting(arrivals[index] ?? [], into: kept.removeFirst()))
            }
        }
        for position in difference.updated { applied[position.section][position.item] = try make(self[position]) }
        list = applied
    }
}
