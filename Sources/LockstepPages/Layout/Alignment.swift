/// Places items in a row as close as possible to their preferred positions, in order and without overlap.
///
/// This is isotonic regression: it minimizes the weighted sum of the squared distances (pool adjacent violators; Barlow
/// et al. 1972).
struct Alignment {
    struct Item {
        var wish: Double
        var weight: Double
        /// The minimum distance from the previous item; not used for the first one.
        var distance: Double
    }

    /// - Parameter range: The range of all positions; `nil` for no limits. It must be large enough.
    static func positions(_ items: [Item], within range: ClosedRange<Double>? = nil) -> [Double] {
        guard let first = items.first else { return [] }
        // Relative to the positions of items as close as possible to the first one, only the order matters.
        var offsets = [0.0]
        for item in items.dropFirst() { offsets.append(offsets.last! + item.distance) }
        var blocks = [Block(sum: first.wish * first.weight, weight: first.weight, count: 1)]
        for (item, offset) in zip(items, offsets).dropFirst() {
            blocks.append(Block(sum: (item.wish - offset) * item.weight, weight: item.weight, count: 1))
            while blocks.count > 1, blocks[blocks.count - 2].mean > blocks[blocks.count - 1].mean {
                let last = blocks.removeLast()
                blocks[blocks.count - 1].add(last)
            }
        }
        let means = blocks.flatMap { Array(repeating: $0.mean, count: $0.count) }
        guard let range else { return zip(means, offsets).map { $0 + $1 } }
        let highest = max(range.lowerBound, range.upperBound - offsets.last!)
        return zip(means, offsets).map { min(max($0, range.lowerBound), highest) + $1 }
    }

    private struct Block {
        var sum: Double
        var weight: Double
        var count: Int

        var mean: Double { sum / weight }

        mutating func add(_ other: Block) {
            sum += other.sum
            weight += other.weight
            count += other.count
        }
    }
}
