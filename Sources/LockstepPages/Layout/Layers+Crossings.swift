extension Layers {
    /// Orders each column so that few edges cross: repeatedly sorts the vertices of one column by the mean position of
    /// the vertices that they are connected to in the previous or the next column.
    mutating func reduceCrossings() {
        var search = CrossingSearch(self)
        search.run()
        setColumns(search.best)
    }
}

private struct CrossingSearch {
    private let layers: Layers
    private var columns: [[Int]]
    /// The position of each vertex in its column.
    private var positions: [Int]
    private(set) var best: [[Int]]

    /// The number of sweeps without an improvement after which the search ends.
    private static let patience = 6
    private static let sweeps = 40

    init(_ layers: Layers) {
        self.layers = layers
        columns = layers.columns
        best = columns
        positions = Array(repeating: 0, count: layers.vertices.count)
        for column in columns.indices { number(column) }
    }

    mutating func run() {
        var fewest = crossings()
        var idle = 0
        for sweep in 0..<Self.sweeps where fewest > 0 && idle < Self.patience {
            let isForward = sweep.isMultiple(of: 2)
            let order = Array(columns.indices)
            for column in isForward ? order : order.reversed() { sort(column, byLeft: isForward) }
            exchangeNeighbours()
            let count = crossings()
            idle = count < fewest ? 0 : idle + 1
            if count < fewest { (fewest, best) = (count, columns) }
        }
    }

    private mutating func number(_ column: Int) {
        for (position, vertex) in columns[column].enumerated() { positions[vertex] = position }
    }

    /// Vertices without a connection on that side keep their positions.
    private mutating func sort(_ column: Int, byLeft: Bool) {
        let keys = columns[column].map { vertex -> Double in
            let others = byLeft ? layers.vertices[vertex].left : layers.vertices[vertex].right
            guard !others.isEmpty else { return Double(positions[vertex]) }
            return Double(others.reduce(0) { $0 + positions[$1] }) / Double(others.count)
        }
        let order = columns[column].indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        columns[column] = order.map { columns[column][$0] }
        number(column)
    }

    /// Exchanges neighbours in a column wherever this reduces the number of crossings.
    private mutating func exchangeNeighbours() {
        for column in columns.indices {
            for index in columns[column].indices.dropLast() {
                let (upper, lower) = (columns[column][index], columns[column][index + 1])
                guard crossings(lower, above: upper) < crossings(upper, above: lower) else { continue }
                columns[column].swapAt(index, index + 1)
                positions[lower] = index
                positions[upper] = index + 1
            }
        }
    }

    /// The number of crossings between the edges of two neighbours.
    private func crossings(_ upper: Int, above lower: Int) -> Int {
        let (first, second) = (layers.vertices[upper], layers.vertices[lower])
        return inversions(first.left, lower: second.left) + inversions(first.right, lower: second.right)
    }

    private func inversions(_ upper: [Int], lower: [Int]) -> Int {
        upper.reduce(0) { count, vertex in count + lower.count { positions[$0] < positions[vertex] } }
    }

    private func crossings() -> Int { columns.indices.dropLast().reduce(0) { $0 + crossingsAfter($1) } }

    /// The number of crossings between a column and the next one: the inversions of the ends of all edges, in the order
    /// of their starts, counted with a Fenwick tree (Barth, Mutzel, Jünger 2004).
    private func crossingsAfter(_ column: Int) -> Int {
        let ends = columns[column].flatMap { layers.vertices[$0].right.map { positions[$0] }.sorted() }
        var tree = [Int](repeating: 0, count: columns[column + 1].count + 1)
        var count = 0
        for (seen, end) in ends.enumerated() {
            var index = end + 1
            var notAfter = 0
            while index > 0 {
                notAfter += tree[index]
                index &= index - 1
            }
            count += seen - notAfter
            index = end + 1
            while index < tree.count {
                tree[index] += 1
                index += index & -index
            }
        }
        return count
    }
}
