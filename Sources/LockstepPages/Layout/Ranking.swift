/// Divides the nodes of a component into columns, so that most edges lead from one column to a later one.
struct Ranking {
    /// The column of each node.
    private(set) var ranks: [Int: Int] = [:]
    private var heights: [Double] = []
    private let heightLimit: Double
    private let graph: LayoutGraph
    private let spacing: LayoutSpacing

    init(_ component: Component, in graph: LayoutGraph, spacing: LayoutSpacing) {
        self.graph = graph
        self.spacing = spacing
        heightLimit = Self.heightLimit(component, in: graph, spacing: spacing)
        let order = Self.order(component, in: graph)
        let position = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        var parents: [Int: [Int]] = [:]
        var children: [Int: [Int]] = [:]
        for edge in component.edges.map({ graph.edges[$0] }) {
            let isForward = position[edge.source]! < position[edge.target]!
            let (from, to) = isForward ? (edge.source, edge.target) : (edge.target, edge.source)
            parents[to, default: []].append(from)
            children[from, default: []].append(to)
        }
        for node in order { place(node, after: parents[node] ?? []) }
        for node in order.reversed() { pull(node, from: parents[node] ?? [], towards: children[node] ?? []) }
        removeEmptyRanks()
    }

    /// Puts a node into the first column after its parents that has space.
    private mutating func place(_ node: Int, after parents: [Int]) {
        var rank = parents.compactMap { ranks[$0] }.max().map { $0 + 1 } ?? 0
        while !hasRoom(for: node, at: rank) { rank += 1 }
        put(node, at: rank)
    }

    /// Moves a node with more children than parents beside the first of its children.
    private mutating func pull(_ node: Int, from parents: [Int], towards children: [Int]) {
        guard let first = children.compactMap({ ranks[$0] }).min(), let rank = ranks[node] else { return }
        guard first - 1 > rank, children.count > parents.count, hasRoom(for: node, at: first - 1) else { return }
        heights[rank] -= height(of: node)
        put(node, at: first - 1)
    }

    private mutating func put(_ node: Int, at rank: Int) {
        while heights.count <= rank { heights.append(0) }
        heights[rank] += height(of: node)
        ranks[node] = rank
    }

    private func hasRoom(for node: Int, at rank: Int) -> Bool {
        guard rank < heights.count, heights[rank] > 0 else { return true }
        return heights[rank] + height(of: node) <= heightLimit
    }

    private func height(of node: Int) -> Double { graph.nodes[node].size.height + spacing.betweenNodes }

    private mutating func removeEmptyRanks() {
        let used = Set(ranks.values).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
        ranks = ranks.mapValues { numbers[$0]! }
    }

    /// The height at which a diagram of this area has the preferred aspect ratio, plus a margin.
    private static func heightLimit(
        _ component: Component, in graph: LayoutGraph, spacing: LayoutSpacing
    ) -> Double {
        let labelWidth = component.edges.map { graph.edges[$0].label.width }.max() ?? 0
        let gap = labelWidth + 2 * (spacing.stub + spacing.curve)
        let sizes = component.nodes.map { graph.nodes[$0].size }
        let area = sizes.reduce(0) { $0 + ($1.width + gap) * ($1.height + spacing.betweenNodes) }
        return max(sizes.map(\.height).max() ?? 0, 1.3 * (area / spacing.aspect).squareRoot())
    }

    /// The nodes in an order in which few edges lead backwards (Eades, Lin, Smyth 1993): sinks are taken from the end,
    /// sources from the beginning, and then the node with the most edges that leave it.
    private static func order(_ component: Component, in graph: LayoutGraph) -> [Int] {
        var outgoing: [Int: Int] = [:]
        var incoming: [Int: Int] = [:]
        var neighbours: [Int: [(node: Int, isOutgoing: Bool)]] = [:]
        for edge in component.edges.map({ graph.edges[$0] }) {
            outgoing[edge.source, default: 0] += 1
            incoming[edge.target, default: 0] += 1
            neighbours[edge.source, default: []].append((edge.target, true))
            neighbours[edge.target, default: []].append((edge.source, false))
        }
        var left = component.nodes
        var front: [Int] = []
        var back: [Int] = []
        while !left.isEmpty {
            let isSink = { (node: Int) in outgoing[node, default: 0] == 0 && incoming[node, default: 0] > 0 }
            let isSource = { (node: Int) in incoming[node, default: 0] == 0 }
            let surplus = { (node: Int) in outgoing[node, default: 0] - incoming[node, default: 0] }
            // The last sink, so that declared order is kept from the end, too.
            let sink = left.lastIndex(where: isSink)
            let index =
                sink ?? left.firstIndex(where: isSource)
                ?? left.indices.max { surplus(left[$0]) < surplus(left[$1]) }!
            let node = left.remove(at: index)
            if sink == nil { front.append(node) } else { back.append(node) }
            for (neighbour, isOutgoing) in neighbours[node] ?? [] {
                if isOutgoing { incoming[neighbour]! -= 1 } else { outgoing[neighbour]! -= 1 }
            }
        }
        return front + back.reversed()
    }
}
