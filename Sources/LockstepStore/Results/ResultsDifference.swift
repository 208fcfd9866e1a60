public import Foundation

/// Where a row stands: which section, which row of it.
public struct ResultsPlace: Hashable, Comparable, Sendable {
    /// The section, counted from 0.
    public var section: Int
    /// The row within the section, counted from 0.
    public var item: Int

    /// The place of a row.
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    /// The place as table and collection views take it.
    public var indexPath: IndexPath { IndexPath(indexes: [section, item]) }

    public static func < (left: ResultsPlace, right: ResultsPlace) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

/// How a list of sections of rows became another one, in the terms of the batch updates of `UITableView` and
/// `UICollectionView`.
///
/// What goes is told by places in the old list, what comes by places in the new one: ``deletedSections``, ``deleted``
/// and where a move starts are old places; ``insertedSections``, ``inserted``, where a move ends and ``updated`` are
/// new ones. Rows of a deleted or inserted section are not listed; a row that goes from a section that stays to an
/// inserted one is deleted where it was, one that comes from a deleted section is inserted. Sections that change their
/// order are deleted and inserted, as few as do. As few rows as possible are moved.
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
    /// A row that is in both lists, but not where it stays by itself.
    public struct Move: Hashable, Sendable {
        /// Its place in the old list.
        public var from: ResultsPlace
        /// Its place in the new list.
        public var to: ResultsPlace
    }

    /// Sections that went, by their old indices, ascending.
    public internal(set) var deletedSections: [Int] = []
    /// Sections that came, by their new indices, ascending.
    public internal(set) var insertedSections: [Int] = []
    /// Rows that went from sections that stay, by their old places, ascending.
    public internal(set) var deleted: [ResultsPlace] = []
    /// Rows that came into sections that stay, by their new places, ascending.
    public internal(set) var inserted: [ResultsPlace] = []
    /// Rows that moved within or between sections that stay, by their new places, ascending.
    public internal(set) var moved: [Move] = []
    /// Rows that were there before and whose record has changed, moved ones included, by their new places, ascending.
    public internal(set) var updated: [ResultsPlace] = []

    /// No difference.
    init() {}

    /// Whether nothing has changed.
    public var isEmpty: Bool {
        !changesPlaces && updated.isEmpty
    }

    /// Whether any row or section stands elsewhere, or came or went: with `false` the same rows stand where they stood.
    public var changesPlaces: Bool {
        !(deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty && moved.isEmpty)
    }

    // Both make each section anew in one go: taking out and putting in row by row would cost the square of their
    // number.

    /// What stays of a list: the sections that do, without what is deleted or moves away.
    func withoutLeavers<Value>(_ list: [[Value]]) -> [[Value]] {
        let leavers = Dictionary(grouping: deleted + moved.map(\.from), by: \.section)
        let deletedSections = Set(deletedSections)
        return list.indices.filter { !deletedSections.contains($0) }.map { section in
            guard let leavers = leavers[section] else { return list[section] }
            var stayers: [Value] = []
            stayers.reserveCapacity(list[section].count - leavers.count)
            var start = 0
            for place in leavers.sorted() {
                stayers += list[section][start..<place.item]
                start = place.item + 1
            }
            return stayers + list[section][start...]
        }
    }

    /// A section with what comes to it, each at the place where it is to stand.
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
