package import LockstepHTML

extension Diagram {
    /// The diagram as a self-contained SVG file. The same diagram always produces the same file.
    package var svg: String {
        let file: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            \(svgMarkup(linksToSections: false))

            """
        return file.text
    }

    /// The `svg` element alone, for a page.
    ///
    /// - Parameter linksToSections: Whether the name of each entity is a link to `#entity-NAME` on the page, and its
    ///   box has the `id` `diagram-NAME`.
    package func svgMarkup(linksToSections: Bool) -> HTML {
        DiagramDrawing(self).markup(linksToSections: linksToSections)
    }
}

/// A diagram with the position of each part.
private struct DiagramDrawing {
    private let diagram: Diagram
    private let boxes: [BoxDrawing]
    private let links: [LinkDrawing]
    private let positions: GraphPositions

    private static let margin = 24.0
    private static let headingHeight = 44.0
    private static let legendLineHeight = 16.0

    init(_ diagram: Diagram) {
        self.diagram = diagram
        let spacing = LayoutSpacing()
        let indices = Dictionary(uniqueKeysWithValues: diagram.boxes.enumerated().map { ($1.entity, $0) })
        let loops = Dictionary(grouping: diagram.links.filter(\.isLoop), by: \.parent.entity)
        let crossing = diagram.links.filter { !$0.isLoop }
        var parents: [String: Int] = [:]
        var children: [String: Int] = [:]
        for link in crossing {
            parents[link.child.entity, default: 0] += 1
            children[link.parent.entity, default: 0] += 1
        }
        boxes = diagram.boxes.map {
            let edges = max(parents[$0.entity] ?? 0, children[$0.entity] ?? 0)
            return BoxDrawing(
                $0, loops: loops[$0.entity] ?? [], edgeCount: edges, portDistance: spacing.betweenPorts)
        }
        links = crossing.map(LinkDrawing.init)
        let graph = LayoutGraph(
            nodes: boxes.map(\.node),
            edges: links.map {
                LayoutGraph.Edge(
                    source: indices[$0.link.parent.entity]!, target: indices[$0.link.child.entity]!,
                    label: $0.labelSize)
            })
        positions = graph.positions(spacing: spacing)
    }

    func markup(linksToSections: Bool) -> HTML {
        let legend = self.legend
        let legendWidth = legend.map { TextWidth.of($0, size: BoxDrawing.smallSize) }.max() ?? 0
        let width = max(positions.size.width, legendWidth, 372) + 2 * Self.margin
        let legendTop = Self.headingHeight + positions.size.height + Self.margin + Self.legendLineHeight
        let height = legendTop + Double(legend.count - 1) * Self.legendLineHeight + 14
        let legendLines = legend.enumerated().map { index, line -> HTML in
            let y = legendTop + Double(index) * Self.legendLineHeight
            return "<text class=\"small\" x=\"\(Self.margin)\" y=\"\(y)\">\(line)</text>\n"
        }
        let drawnBoxes = zip(boxes, positions.nodes).map { $0.markup(in: $1, linksToSections: linksToSections) }
        let drawnLinks = zip(links, positions.edges).map { $0.markup(along: $1) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" class="lockstep-diagram" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" aria-label="\(title)">
            <title>\(title)</title>
            <style>
            \(Self.style)
            </style>
            <rect class="back" width="\(width)" height="\(height)"/>
            <text class="heading" x="\(Self.margin)" y="28">\(diagram.name)\
            <tspan class="version" dx="8">version \(diagram.version)</tspan></text>
            <g transform="translate(\(Self.margin) \(Self.headingHeight))">
            \(drawnLinks)\(drawnBoxes)</g>
            \(legendLines)</svg>
            """
    }

    private var title: String {
        "\(diagram.name), version \(diagram.version): entities and relationships"
    }

    /// Explains the symbols that are not obvious: those of boxes, and those of lines.
    private var legend: [String] {
        let keys = diagram.boxes.flatMap(\.rows).flatMap(\.keys)
        var notes = ["PK identity"]
        if keys.contains(.foreign) { notes.append("FK foreign key") }
        if keys.contains(.unique) { notes.append("UK unique") }
        notes.append("? optional")
        if diagram.boxes.flatMap(\.rows).contains(where: \.isTransient) { notes.append("italic: not stored") }
        if diagram.boxes.contains(where: \.isLocal) { notes.append("dashed box: never sent") }
        var lines: [String] = []
        if links.contains(where: { !$0.link.labels.isEmpty }) {
            lines.append("name above a line: relationship of the box at its left end · below: of that at its right end")
        }
        if diagram.links.contains(where: \.isEmbedded) { lines.append("thick line: embedded in the JSON") }
        return [notes, lines].filter { !$0.isEmpty }.map { $0.joined(separator: " · ") }
    }

    /// Plain rules, because many SVG viewers do not support variables.
    private static let style: HTML = """
        .lockstep-diagram text { font: 12px "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #1d2127; }
        .lockstep-diagram .back { fill: #ffffff; }
        .lockstep-diagram .box { fill: #fbfcfd; stroke: #8a94a3; }
        .lockstep-diagram .local { stroke-dasharray: 5 3; }
        .lockstep-diagram .head { fill: #e3ebf9; stroke: none; }
        .lockstep-diagram text.heading { font-size: 18px; font-weight: 600; }
        .lockstep-diagram .version { font-size: 12px; font-weight: 400; fill: #626a75; }
        .lockstep-diagram text.name { font-size: 13px; font-weight: 600; }
        .lockstep-diagram text.key { font-weight: 600; }
        .lockstep-diagram text.transient { font-style: italic; }
        .lockstep-diagram .entity:target .box { stroke: #0b57c2; stroke-width: 3; }
        .lockstep-diagram text.type { fill: #56606d; }
        .lockstep-diagram text.small { font-size: 10.5px; fill: #626a75; }
        .lockstep-diagram text.label { font-size: 10.5px; fill: #274b87; }
        .lockstep-diagram text.end { text-anchor: end; }
        .lockstep-diagram .line { fill: none; stroke: #6f7a89; stroke-width: 1.2; }
        .lockstep-diagram .embedded { stroke-width: 2.8; }
        .lockstep-diagram .end-symbol { fill: none; stroke: #4a5461; stroke-width: 1.3; }
        .lockstep-diagram .none { fill: #ffffff; stroke: #4a5461; stroke-width: 1.3; }
        .lockstep-diagram .link:hover .line { stroke: #0b57c2; }
        @media (prefers-color-scheme: dark) {
        .lockstep-diagram text { fill: #e7e9ec; }
        .lockstep-diagram .back { fill: #16181c; }
        .lockstep-diagram .box { fill: #1f2227; stroke: #727b88; }
        .lockstep-diagram .head { fill: #2a3a5a; }
        .lockstep-diagram .entity:target .box { stroke: #8ab4ff; }
        .lockstep-diagram .version, .lockstep-diagram text.small { fill: #a0a8b3; }
        .lockstep-diagram text.type { fill: #b3bac4; }
        .lockstep-diagram text.label { fill: #9dbdf5; }
        .lockstep-diagram .line { stroke: #8b95a3; }
        .lockstep-diagram .end-symbol { stroke: #b3bac4; }
        .lockstep-diagram .none { fill: #16181c; stroke: #b3bac4; }
        .lockstep-diagram .link:hover .line { stroke: #8ab4ff; }
        }
        """
}
