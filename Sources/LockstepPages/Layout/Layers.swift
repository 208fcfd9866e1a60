/// The columns of a component: columns of nodes, and columns of labels between them. An edge that crosses a column has
/// a vertex there, which reserves space for it.
struct Layers {
    struct Vertex {
        var content: Content
        var layer: Int
        var size: Size
        /// The vertices of the previous and the next column that an edge leads to, by index.
        var left: [Int] = []
        var right: [Int] = []
    }

    enum Content: Hashable {
        case node(Int)
        case label(edge: Int)
        /// An edge that crosses the column.
        case bend(edge: Int)
    }

    private(set) var vertices: [Vertex] = []
    /// The vertices of each column from top to bottom.
    private(set) var columns: [[Int]] = []
    /// The vertices of each edge from left to right, including those of its nodes.
    private(set) var chains: [Int: [Int]] = [:]

    init(of graph: LayoutGraph, component: Component, spacing: LayoutSpacing) {
        let ranks = Ranking(component, in: graph, spacing: spacing).ranks
        columns = Array(repeating: [], count: 2 * (ranks.values.max() ?? 0) + 1)
        var vertexOfNode: [Int: Int] = [:]
        for node in component.nodes {
            vertexOfNode[node] = add(.node(node), at: 2 * ranks[node]!, size: graph.nodes[node].size)
        }
        for edge in component.edges {
            let ends = [graph.edges[edge].source, graph.edges[edge].target].sorted { ranks[$0]! < ranks[$1]! }
            addChain(edge, from: vertexOfNode[ends[0]]!, to: vertexOfNode[ends[1]]!, label: graph.edges[edge].label)
        }
    }

    private mutating func add(_ content: Content, at layer: Int, size: Size) -> Int {
        vertices.append(Vertex(content: content, layer: layer, size: size))
        columns[layer].append(vertices.count - 1)
        return vertices.count - 1
    }

    /// The label is in the middle column, or before it.
    private mutating func addChain(_ edge: Int, from start: Int, to end: Int, label: Size) {
        let layers = vertices[start].layer + 1..<vertices[end].layer
        let middle = layers.lowerBound + (layers.count / 2) / 2 * 2
        var chain = [start]
        for layer in layers {
            chain.append(
                layer == middle
                    ? add(.label(edge: edge), at: layer, size: label)
                    : add(.bend(edge: edge), at: layer, size: Size(width: 0, height: 6)))
        }
        chain.append(end)
        for (left, right) in zip(chain, chain.dropFirst()) {
            vertices[left].right.append(right)
            vertices[right].left.append(left)
        }
        chains[edge] = chain
    }

    func isNode(_ vertex: Int) -> Bool {
        if case .node = vertices[vertex].content { true } else { false }
    }

    mutating func setColumns(_ columns: [[Int]]) { self.columns = columns }
}
