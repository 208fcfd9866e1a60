/// What is laid out: rectangles, and edges with labels between them. Nodes and edges are known by their indices.
struct LayoutGraph {
    var nodes: [Node] = []
    var edges: [Edge] = []

    struct Node {
        /// All that the node covers.
        var size: Size
        /// The height, from the top, of the sides that edges begin and end at.
        var sideHeight: Double
    }

    /// An edge between two different nodes, preferably from left to right.
    struct Edge {
        var source: Int
        var target: Int
        /// The room that is kept for its label; the edge is a straight line in the middle of it.
        var label: Size
    }
}

/// Where the nodes and edges of a graph are.
struct GraphPlaces {
    var size: Size
    /// The rectangles of the nodes, by index.
    var nodes: [Rectangle]
    /// The edges, by index.
    var edges: [Route]

    /// An edge: horizontal lines, joined by curves that lead from the end of one to the beginning of the next. All go
    /// in the same direction.
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
    /// Lays out the graph in layers from left to right (Sugiyama, Tagawa, Toda 1981), each connected part for itself.
    ///
    /// Nodes and labels do not overlap, and edges run through no node: they cross a column of nodes only where room is
    /// kept for them, and bend only between columns. The result depends on nothing but the graph.
    func places(spacing: LayoutSpacing = LayoutSpacing()) -> GraphPlaces {
        let parts = components().map { part in
            var layers = Layers(of: self, part, spacing: spacing)
            layers.reduceCrossings()
            return (part, ComponentPlaces(layers, in: self, spacing: spacing))
        }
        let packing = Packing(parts.map(\.1.size), gap: spacing.betweenParts, aspect: spacing.aspect)
        var places = GraphPlaces(
            size: packing.size, nodes: Array(repeating: Rectangle(x: 0, y: 0, width: 0, height: 0), count: nodes.count),
            edges: Array(repeating: GraphPlaces.Route(), count: edges.count))
        for (origin, (part, component)) in zip(packing.origins, parts) {
            for node in part.nodes { places.nodes[node] = component.nodes[node]!.moved(by: origin) }
            for edge in part.edges { places.edges[edge] = component.routes[edge]!.moved(by: origin) }
        }
        return places
    }
}

/// The distances of a layout.
struct LayoutSpacing {
    /// Between a node and the next one below it.
    var betweenNodes = 28.0
    /// Between anything else in a column.
    var betweenEdges = 10.0
    /// Between the places at which two edges meet a node.
    var betweenPorts = 22.0
    /// What an edge is straight for at a node, so that there is room for a symbol.
    var stub = 26.0
    /// What a curve takes at least.
    var curve = 26.0
    var betweenParts = 48.0
    /// The width of a picture, if its height is one.
    var aspect = 1.5
}

extension Rectangle {
    fileprivate func moved(by origin: Point) -> Rectangle {
        Rectangle(x: x + origin.x, y: y + origin.y, width: width, height: height)
    }
}

extension GraphPlaces.Route {
    fileprivate func moved(by origin: Point) -> GraphPlaces.Route {
        var result = self
        result.label = label.moved(by: origin)
        result.lines = lines.map {
            GraphPlaces.Line(fromX: $0.fromX + origin.x, toX: $0.toX + origin.x, y: $0.y + origin.y)
        }
        return result
    }
}
