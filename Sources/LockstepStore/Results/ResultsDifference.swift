public import Foundation

/// The position of a row: its section, and its index in the section.
public struct ResultsPosition: Hashable, Comparable, Sendable {
    /// The index of the section, from 0.
    public var section: Int
    /// The index of the row in the section, from 0.
    public var item: Int

    /// Creates the position of a row.
    package init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    /// The position as an index path for table and collection views.
    public var indexPath: IndexPath { IndexPath(indexes: [section, item]) }

    @_spi(Requirements) public static func < (left: ResultsPosition, right: ResultsPosition) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

/// The former name of ``ResultsPosition``.
@available(*, deprecated, renamed: "ResultsPosition")
public typealias ResultsPlace = ResultsPosition

/// The difference between two lists of sections of rows, in the terms of the batch updates of `UITableView` and
/// `UICollectionView`.
///
/// Deletions use positions in the old list, insertions positions in the new one: ``deletedSections``, ``deleted`` and
/// the start of a move are old positions; ``insertedSections``, ``inserted``, the end of a move and ``updated`` are new
/// ones. Rows of a deleted or inserted section are not listed. A row that moves from a remaining section to an inserted
/// one is deleted at its old position; one that comes from a deleted section is inserted. Sections whose order changes
/// are deleted and inserted. The number of these sections, and of moved rows, is minimal.
///
/// ```swift
/// tableView.performBatchUpdates {
///     tableView.deleteSections(IndexSet(difference.deletedSections), with: .automatic)
///     tableView.insertSections(IndexSet(difference.insertedSections), with: .automatic)
///     tableView.deleteRows(at: difference.deleted.map(\.indexPath), with: .automatic)
///     tableView.insertRows(at: difference.inserted.map(\.indexPath), with: .automatic)
///     for move in difference.moved { tableView.moveRow(at: move.from.indexPath, to: move.to.indexPath) }
/// }
/// tableView.reconfigureRows(at: difference.updated.map(\.indexPath))
/// ```
public struct ResultsDifference: Hashable, Sendable {
    /// A row that is in both lists, but not at the position that results from the other changes.
    public struct Move: Hashable, Sendable {
        /// Its position in the old list.
        public var from: ResultsPosition
        /// Its position in the new list.
        public var to: ResultsPosition
    }

    /// The old indexes of deleted sections, ascending.
    public internal(set) var deletedSections: [Int] = []
    /// The new indexes of inserted sections, ascending.
    public internal(set) var insertedSections: [Int] = []
    /// The old positions of rows deleted from remaining sections, ascending.
    public internal(set) var deleted: [ResultsPosition] = []
    /// The new positions of rows inserted into remaining sections, ascending.
    public internal(set) var inserted: [ResultsPosition] = []
    /// Rows that moved within or between remaining sections, by their new positions, ascending.
    public internal(set) var moved: [Move] = []
    /// The new positions of rows that existed before and whose record has changed, including moved ones, ascending.
    public internal(set) var updated: [ResultsPosition] = []

    /// No difference.
    init() {}

    /// Whether nothing has changed.
    public var isEmpty: Bool {
        !changesPositions && updated.isEmpty
    }

    /// Whether any row or section was moved, inserted or deleted. If `false`, the same rows are at the same positions.
    public var changesPositions: Bool {
        !(deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty && moved.isEmpty)
    }

    @available(*, deprecated, renamed: "changesPositions") public var changesPlaces: Bool { changesPositions }

    // Both create each section at once: removing and inserting rows individually would take quadratic time.

    /// The remaining part of a list: the remaining sections, without what is deleted or moves away.
    func withoutLeavers<Value>(_ list: [[Value]]) -> [[Value]] {
        let leavers = Dictionary(grouping: deleted + moved.map(\.from), by: \.section)
        let deletedSections = Set(deletedSections)
        return list.indices.filter { !deletedSections.contains($0) }.map { section in
            guard let leavers = leavers[section] else { return list[section] }
            var stayers: [Value] = []
            stayers.reserveCapacity(list[section].count - leavers.count)
            var start = 0
            for position in leavers.sorted() {
                stayers += list[section][start..<position.item]
                start = position.item + 1
            }
            return stayers + list[section][start...]
        }
    }

    /// A section with what is inserted into it, each at its final index.
    static func inserting<Value>(_ arrivals: [(item: Int, value: Value)], into stayers: [Value]) -> [Value] {
        guard !arrivals.isEmpty else { return stayers }
        var section: [Value] = []
        section.reserveCapacity(stayers.count + arrivals.count)
        var next = 0
        for arrival in arrivals.sorted(by: { $0.item < $1.item }) {
            let end = next + arrival.item - section.count
            section += stayers[next..<end]
            section.append(arrival.value)
            next = end
        }
        return section + stayers[next...]
    }
}
