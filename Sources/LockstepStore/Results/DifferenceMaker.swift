/// Computes the difference between two lists of sections of rows.
///
/// Rows are identical if they are the same object: a context has one object for each record. No row may be in a list
/// twice. It takes O(n log n) for n rows whose position has changed, and compares the others once.
struct DifferenceMaker {
    typealias Rows = [ManagedObject]

    private let old: [Rows]
    private let new: [Rows]
    /// For each old section the new one; `nil` if it was deleted. And vice versa.
    private var newSections: [Int?]
    private var oldSections: [Int?]
    private var difference = ResultsDifference()
    /// The rows that were inserted into remaining sections.
    private var arrivals: Set<ObjectIdentifier> = []

    /// The difference of two snapshots' sections.
    ///
    /// - Parameter updated: The objects whose records have changed.
    static func difference<Object, Key>(
        from old: [ResultsSection<Key, Object>], to new: [ResultsSection<Key, Object>], updated: UpdatedRows
    ) -> ResultsDifference {
        var maker = DifferenceMaker(old: old.map(\.rows), new: new.map(\.rows), pairs: pairs(from: old, to: new))
        maker.compareRows()
        maker.collectUpdates(updated)
        return maker.difference
    }

    /// For each new section the old one with its key.
    private static func pairs<Object, Key>(
        from old: [ResultsSection<Key, Object>], to new: [ResultsSection<Key, Object>]
    ) -> [Int?] {
        if old.count == new.count, zip(old, new).allSatisfy({ $0.key == $1.key }) { return Array(new.indices) }
        let positions = Dictionary(zip(old.lazy.map(\.key), old.indices), uniquingKeysWith: { first, _ in first })
        return new.map { positions[$0.key] }
    }

    private init(old: [Rows], new: [Rows], pairs: [Int?]) {
        self.old = old
        self.new = new
        newSections = Array(repeating: nil, count: old.count)
        oldSections = Array(repeating: nil, count: new.count)
        let common = new.indices.filter { pairs[$0] != nil }
        let stays = LongestIncrease.members(of: common.compactMap { pairs[$0] })
        for (position, section) in common.enumerated() where stays[position] {
            guard let oldSection = pairs[section] else { continue }
            newSections[oldSection] = section
            oldSections[section] = oldSection
        }
        difference.deletedSections = old.indices.filter { newSections[$0] == nil }
        difference.insertedSections = new.indices.filter { oldSections[$0] == nil }
    }

    // MARK: Rows

    private mutating func compareRows() {
        var middles: [Middle] = []
        for (oldSection, newSection) in newSections.enumerated() {
            guard let newSection else { continue }
            let middle = Middle(oldSection, old: old[oldSection], newSection: newSection, new: new[newSection])
            if !middle.isEmpty { middles.append(middle) }
        }
        guard !middles.isEmpty else { return }
        var positions: [ObjectIdentifier: ResultsPosition] = [:]
        positions.reserveCapacity(middles.reduce(0) { $0 + $1.oldRange.count })
        for middle in middles {
            for item in middle.oldRange {
                let row = old[middle.oldSection][item]
                positions[ObjectIdentifier(row)] = ResultsPosition(section: middle.oldSection, item: item)
            }
        }
        middles.sort { $0.newSection < $1.newSection }
        for middle in middles { follow(middle, positions: &positions) }
        difference.deleted = positions.values.sorted()
    }

    /// Records what was inserted into a section, and removes rows that existed before from `positions`.
    private mutating func follow(_ middle: Middle, positions: inout [ObjectIdentifier: ResultsPosition]) {
        var moves: [ResultsDifference.Move] = []
        var stayers: [Int] = []
        for item in middle.newRange {
            let row = ObjectIdentifier(new[middle.newSection][item])
            let position = ResultsPosition(section: middle.newSection, item: item)
            guard let oldPosition = positions.removeValue(forKey: row) else {
                difference.inserted.append(position)
                arrivals.insert(row)
                continue
            }
            if oldPosition.section == middle.oldSection { stayers.append(moves.count) }
            moves.append(ResultsDifference.Move(from: oldPosition, to: position))
        }
        let stays = LongestIncrease.members(of: stayers.map { moves[$0].from.item })
        var isMoved = Array(repeating: true, count: moves.count)
        for (position, move) in stayers.enumerated() where stays[position] { isMoved[move] = false }
        for (move, isMoved) in zip(moves, isMoved) where isMoved { difference.moved.append(move) }
    }

    private mutating func collectUpdates(_ updated: UpdatedRows) {
        guard !updated.isEmpty else { return }
        for (section, oldSection) in oldSections.enumerated() where oldSection != nil {
            for (item, row) in new[section].enumerated() where updated.contains(row) {
                guard !arrivals.contains(ObjectIdentifier(row)) else { continue }
                difference.updated.append(ResultsPosition(section: section, item: item))
            }
        }
    }

    /// The part of a remaining section between the rows that its old and new form begin and end with.
    private struct Middle {
        let oldSection: Int
        let newSection: Int
        let oldRange: Range<Int>
        let newRange: Range<Int>

        var isEmpty: Bool { oldRange.isEmpty && newRange.isEmpty }

        init(_ oldSection: Int, old: Rows, newSection: Int, new: Rows) {
            self.oldSection = oldSection
            self.newSection = newSection
            let shorter = min(old.count, new.count)
            var start = 0
            while start < shorter, old[start] === new[start] { start += 1 }
            var end = 0
            while end < shorter - start, old[old.count - 1 - end] === new[new.count - 1 - end] { end += 1 }
            oldRange = start..<(old.count - end)
            newRange = start..<(new.count - end)
        }
    }
}
