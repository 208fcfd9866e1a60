import LockstepHTML

/// A box with its rows, and the relationships that lead from it to itself below it.
struct BoxDrawing {
    let box: DiagramBox
    let loops: [DiagramLink]
    private let boxSize: Size
    private let keyWidth: Double

    private static let headerHeight = 28.0
    private static let rowHeight = 20.0
    private static let padding = 10.0
    static let textSize = 12.0
    static let smallSize = 10.5

    /// - Parameter edgeCount: The number of edges at one side, which need space.
    init(_ box: DiagramBox, loops: [DiagramLink], edgeCount: Int, portDistance: Double) {
        self.box = box
        self.loops = loops
        let keys = box.rows.map { TextWidth.of(Self.keys($0), size: Self.smallSize) }.max() ?? 0
        keyWidth = keys == 0 ? 0 : keys + 8
        let rows = box.rows.map {
            TextWidth.of($0.name, size: Self.textSize) + TextWidth.of(Self.type($0), size: Self.textSize) + 18
        }
        let note = box.note.map { TextWidth.of($0, size: Self.smallSize) + 16 } ?? 0
        let title = TextWidth.of(box.entity, size: 13, isBold: true) + note
        boxSize = Size(
            width: max(90, title, (rows.max() ?? 0) + keyWidth) + 2 * Self.padding,
            height: max(
                Self.headerHeight + Double(box.rows.count) * Self.rowHeight + (box.rows.isEmpty ? 0 : 6),
                Double(edgeCount) * portDistance))
    }

    /// The box with its loops.
    var node: LayoutGraph.Node {
        let loopsWidth = loops.reduce(0) { $0 + LoopDrawing($1).size.width }
        let loopsHeight = loops.isEmpty ? 0 : LoopDrawing.height
        return LayoutGraph.Node(
            size: Size(width: max(boxSize.width, loopsWidth), height: boxSize.height + loopsHeight),
            sideHeight: boxSize.height)
    }

    /// - Parameter linksToSections: Whether the name is a link to the section of the entity on the same page, and the
    ///   box can be linked to.
    func markup(in frame: Rectangle, linksToSections: Bool) -> HTML {
        let area = Rectangle(x: frame.x, y: frame.y, width: frame.width, height: boxSize.height)
        let frame: HTML = box.isLocal ? "box local" : "box"
        let documentation = box.documentation.map { ": " + $0 } ?? ""
        let id: HTML = linksToSections ? " id=\"diagram-\(box.entity)\"" : ""
        return """
            <g class="entity"\(id) data-entity="\(box.entity)">
            <title>\(box.entity)\(documentation)</title>
            <rect class="\(frame)" x="\(area.x)" y="\(area.y)" width="\(area.width)" height="\(area.height)" rx="6"/>
            \(header(in: area, linksToSections: linksToSections))\(rows(in: area))</g>
            \(loopMarkup(below: area))
            """
    }

    private func header(in area: Rectangle, linksToSections: Bool) -> HTML {
        let right = area.x + area.width
        let bottom = area.y + Self.headerHeight
        let name: HTML = """
            <text class="name" x="\(area.x + Self.padding)" y="\(area.y + 19)">\(box.entity)</text>
            """
        let linked: HTML = linksToSections ? "<a href=\"#entity-\(box.entity)\">\(name)</a>" : name
        let note: HTML =
            box.note.map {
                "<text class=\"small end\" x=\"\(right - Self.padding)\" y=\"\(area.y + 18)\">\($0)</text>\n"
            } ?? ""
        return """
            <path class="head" d="M\(area.x) \(bottom)V\(area.y + 6)a6 6 0 0 1 6 -6H\(right - 6)a6 6 0 0 1 6 6V\(bottom)Z"/>
            \(linked)
            \(note)
            """
    }

    private func rows(in area: Rectangle) -> HTML {
        box.rows.enumerated().map { index, row -> HTML in
            let y = area.y + Self.headerHeight + Double(index) * Self.rowHeight + 17
            let keys: HTML =
                row.keys.isEmpty
                ? "" : "<text class=\"small\" x=\"\(area.x + Self.padding)\" y=\"\(y)\">\(Self.keys(row))</text>"
            return """
                \(keys)<text class="\(Self.rowClass(row))" \
                x="\(area.x + Self.padding + keyWidth)" y="\(y)">\(row.name)</text>\
                <text class="type end" x="\(area.x + area.width - Self.padding)" y="\(y)">\(Self.type(row))</text>

                """
        }.joined()
    }

    private static func rowClass(_ row: DiagramBox.Row) -> HTML {
        if row.isTransient { return "transient" }
        return row.keys.contains(.primary) ? "key" : "row"
    }

    private func loopMarkup(below area: Rectangle) -> HTML {
        var x = area.x
        return loops.map { loop -> HTML in
            let drawing = LoopDrawing(loop)
            defer { x += drawing.size.width }
            return drawing.markup(at: Point(x: x, y: area.maxY))
        }.joined()
    }

    private static func keys(_ row: DiagramBox.Row) -> String { row.keys.map(\.rawValue).joined(separator: " ") }

    private static func type(_ row: DiagramBox.Row) -> String { row.type + (row.isOptional ? "?" : "") }
}
