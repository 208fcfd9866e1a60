/// The positions of the parts of a component, starting at 0, 0.
struct ComponentPositions {
    private(set) var size = Size(width: 0, height: 0)
    private(set) var nodes: [Int: Rectangle] = [:]
    private(set) var routes: [Int: GraphPositions.Route] = [:]

    private let layers: Layers
    private let graph: LayoutGraph
    private let spacing: LayoutSpacing
    /// The vertical centre of each vertex.
    private var middles: [Double]
    /// Where each column begins and ends.
    private var columnRanges: [ClosedRange<Double>] = []
    /// Where the edges meet the nodes, by the vertex of the node and the next vertex of the edge.
    private var ports: [Side: Double] = [:]

    private struct Side: Hashable {
        var node: Int
        var neighbour: Int
    }

    init(_ layers: Layers, in graph: LayoutGraph, spacing: LayoutSpacing) {
        self.layers = layers
        self.graph = graph
        self.spacing = spacing
        middles = Array(repeating: 0, count: layers.vertices.count)
        stack()
        for sweep in 0..<12 { align(byLeft: sweep.isMultiple(of: 2)) }
        moveToTop()
        for vertex in layers.vertices.indices where layers.isNode(vertex) { placePorts(of: vertex) }
        placeColumns()
        placeNodes()
        placeRoutes()
    }

    // MARK: Vertical

    /// Stacks the vertices of each column from the top.
    private mutating func stack() {
        for column in layers.columns {
            for (index, vertex) in column.enumerated() where index > 0 {
                middles[vertex] = middles[column[index - 1]] + distance(column[index - 1], lower: vertex)
            }
        }
    }

    private func distance(_ upper: Int, lower: Int) -> Double {
        let gap = layers.isNode(upper) && layers.isNode(lower) ? spacing.betweenNodes : spacing.betweenEdges
        return (height(upper) + height(lower)) / 2 + gap
    }

    private func height(_ vertex: Int) -> Double { layers.vertices[vertex].size.height }

    /// Moves the vertices of each column towards those of the previous or the next column.
    private mutating func align(byLeft: Bool) {
        let order = Array(layers.columns.indices)
        for column in byLeft ? order : order.reversed() {
            let vertices = layers.columns[column]
            let items = vertices.enumerated().map { index, vertex in
                item(vertex, byLeft: byLeft, distance: index == 0 ? 0 : distance(vertices[index - 1], lower: vertex))
            }
            for (vertex, position) in zip(vertices, Alignment.positions(items)) { middles[vertex] = position }
        }
    }

    /// Straightening a long edge has more weight than centring a node between its neighbours.
    private func item(_ index: Int, byLeft: Bool, distance: Double) -> Alignment.Item {
        let vertex = layers.vertices[index]
        let others = byLeft ? vertex.left : vertex.right
        guard !others.isEmpty else { return .init(wish: middles[index], weight: 0.5, distance: distance) }
        let wishes = others.map { wish(of: index, beside: $0) }
        let weight = layers.isNode(index) ? 1.0 : others.contains(where: layers.isNode) ? 2 : 8
        return .init(wish: wishes.reduce(0, +) / Double(wishes.count), weight: weight, distance: distance)
    }

    /// Beside a tall node, an edge can be straight at any height of the node.
    private func wish(of vertex: Int, beside other: Int) -> Double {
        guard case .node(let node) = layers.vertices[other].content else { return middles[other] }
        let top = middles[other] - height(other) / 2
        let room = min(spacing.betweenPorts, graph.nodes[node].sideHeight / 2)
        return min(max(middles[vertex], top + room), top + graph.nodes[node].sideHeight - room)
    }

    private mutating func moveToTop() {
        let tops = layers.vertices.indices.map { middles[$0] - height($0) / 2 }
        let bottoms = layers.vertices.indices.map { middles[$0] + height($0) / 2 }
        let top = tops.min() ?? 0
        for vertex in middles.indices { middles[vertex] -= top }
        size.height = (bottoms.max() ?? 0) - top
    }

    private mutating func placePorts(of vertex: Int) {
        guard case .node(let node) = layers.vertices[vertex].content else { return }
        let top = middles[vertex] - height(vertex) / 2
        let height = graph.nodes[node].sideHeight
        for neighbours in [layers.vertices[vertex].left, layers.vertices[vertex].right] where !neighbours.isEmpty {
            let margin = min(spacing.betweenPorts / 2, height / 2)
            let ordered = neighbours.sorted { middles[$0] < middles[$1] }
            let gap = min(spacing.betweenPorts, (height - 2 * margin) / Double(max(1, ordered.count - 1)))
            let items = ordered.map { Alignment.Item(wish: middles[$0], weight: 1, distance: gap) }
            let positions = Alignment.positions(items, within: top + margin...top + height - margin)
            for (neighbour, position) in zip(ordered, positions) {
                ports[Side(node: vertex, neighbour: neighbour)] = position
            }
        }
    }

    // MARK: Horizontal

    private mutating func placeColumns() {
        var x = 0.0
        for (index, column) in layers.columns.enumerated() {
            let width = column.map { layers.vertices[$0].size.width }.max() ?? 0
            columnRanges.append(x...x + width)
            x += width + gap(after: index)
        }
        size.width = columnRanges.last?.upperBound ?? 0
    }

    /// Curves that lead far up or down get more space, so that they are not too steep.
    private func gap(after column: Int) -> Double {
        let rises = layers.columns[column].flatMap { vertex in
            layers.vertices[vertex].right.map { abs(end(vertex, towards: $0) - end($0, towards: vertex)) }
        }
        return spacing.stub + spacing.curve + min(60, (rises.max() ?? 0) * 0.15)
    }

    /// The vertical position of an edge at a vertex.
    private func end(_ vertex: Int, towards other: Int) -> Double {
        ports[Side(node: vertex, neighbour: other)] ?? middles[vertex]
    }

    private mutating func placeNodes() {
        for (index, vertex) in layers.vertices.enumerated() {
            guard case .node(let node) = vertex.content else { continue }
            nodes[node] = rectangle(index)
        }
    }

    /// The rectangle of a vertex, centred in its column.
    private func rectangle(_ index: Int) -> Rectangle {
        let vertex = layers.vertices[index]
        let column = columnRanges[vertex.layer]
        let middle = (column.lowerBound + column.upperBound) / 2
        return Rectangle(
            x: middle - vertex.size.width / 2, y: middles[index] - vertex.size.height / 2, width: vertex.size.width,
            height: vertex.size.height)
    }

    private mutating func placeRoutes() {
        for (edge, chain) in layers.chains {
            var route = GraphPositions.Route()
            route.isForward = layers.vertices[chain[0]].content == .node(graph.edges[edge].source)
            route.lines.append(leaving(chain[0], towards: chain[1]))
            for vertex in chain.dropFirst().dropLast() {
                let column = columnRanges[layers.vertices[vertex].layer]
                route.lines.append(.init(fromX: column.lowerBound, toX: column.upperBound, y: middles[vertex]))
                if layers.vertices[vertex].content == .label(edge: edge) { route.label = rectangle(vertex) }
            }
            route.lines.append(arriving(chain[chain.count - 1], from: chain[chain.count - 2]))
            routes[edge] = route
        }
    }

    private func leaving(_ vertex: Int, towards next: Int) -> GraphPositions.Line {
        let column = columnRanges[layers.vertices[vertex].layer]
        let x = rectangle(vertex).maxX
        return .init(fromX: x, toX: column.upperBound + spacing.stub, y: end(vertex, towards: next))
    }

    private func arriving(_ vertex: Int, from former: Int) -> GraphPositions.Line {
        let column = columnRanges[layers.vertices[vertex].layer]
        return .init(
            fromX: column.lowerBound - spacing.stub, toX: rectangle(vertex).x, y: end(vertex, towards: former))
    }
}
