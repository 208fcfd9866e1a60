/// The input of a layout: rectangles, and edges with labels between them. Nodes and edges are identified by their
/// indices.
struct LayoutGraph {
    var nodes: [Node] = []
    var edges: [Edge] = []

    struct Node {
        /// The size of the whole node.
        var size: Size
        /// The height, from the top, of the sides where edges start and end.
        var sideHeight: Double
    }

    /// An edge between two different nodes, preferably from left to right.
    struct Edge {
        var source: Int
        var target: Int
        /// The space that is reserved for its label. The edge is a straight line through its middle.
        var label: Size
    }
}

/// The positions of the nodes and edges of a graph.
struct GraphPositions {
    var size: Size
    /// The rectangles of the nodes, by index.
    var nodes: [Rectangle]
    /// The edges, by index.
    var edges: [Route]

    /// An edge: horizontal lines, joined by curves that lead from the end of one line to the start of the next. All
    /// lines go in the same direction.
    struct Route {
        var lines: [Line] = []
        var label = Rectangle(x: 0, y: 0, width: 0, height: 0)
        /// Whether it leads from the source on the left to the target on the right.
        var isForward = true
    }

    struct Line {
        var fromX: Double
        var toX: Double
        var y: Double
    }
}

extension LayoutGraph {
    /// Lays out the graph in layers from left to right (Sugiyama, Tagawa, Toda 1981), each connected part separately.
    ///
    /// Nodes and labels do not overlap, and edges do not run through nodes: they cross a column of nodes only where
    /// space is reserved for them, and bend only between columns. The result depends only on the graph.
    func positions(spacing: LayoutSpacing = LayoutSpacing()) -> GraphPositions {
        let parts = components().map { part in
            var layers = Layers(of: self, component: part, spacing: spacing)
            layers.reduceCrossings()
            return (part, ComponentPositions(layers, in: self, spacing: spacing))
        }
        let packing = Packing(parts.map(\.1.size), gap: spacing.betweenParts, aspect: spacing.aspect)
        var positions = GraphPositions(
            size: packing.size, nodes: Array(repeating: Rectangle(x: 0, y: 0, width: 0, height: 0), count: nodes.count),
            edges: Array(repeating: GraphPositions.Route(), count: edges.count))
        for (origin, (part, component)) in zip(packing.origins, parts) {
            for node in part.nodes { positions.nodes[node] = component.nodes[node]!.moved(by: origin) }
            for edge in part.edges { positions.edges[edge] = component.routes[edge]!.moved(by: origin) }
        }
        return positions
    }
}

/// The distances of a layout.
struct LayoutSpacing {
    /// Between a node and the next one below it.
    var betweenNodes = 28.0
    /// Between anything else in a column.
    var betweenEdges = 10.0
    /// Between the points where two edges meet a node.
    var betweenPorts = 22.0
    /// The length of the straight part of an edge at a node, which leaves space for a symbol.
    var stub = 26.0
    /// The minimum width of a curve.
    var curve = 26.0
    var betweenParts = 48.0
    /// The preferred ratio of width to height.
    var aspect = 1.5
}

extension Rectangle {
    fileprivate func moved(by origin: Point) -> Rectangle {
        Rectangle(x: x + origin.x, y: y + origin.y, width: width, height: height)
    }
}

extension GraphPositions.Route {
    fileprivate func moved(by origin: Point) -> GraphPositions.Route {
        var result = self
        result.label = label.moved(by: origin)
        result.lines = lines.map {
            GraphPositions.Line(fromX: $0.fromX + origin.x, toX: $0.toX + origin.x, y: $0.y + origin.y)
        }
        return result
    }
}
