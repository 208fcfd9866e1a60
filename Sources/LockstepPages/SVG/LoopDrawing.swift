import LockstepHTML

/// A relationship from an entity to itself: a loop below its box, with the texts beside it.
struct LoopDrawing {
    let link: DiagramLink

    static let height = 46.0
    private static let width = 34.0

    init(_ link: DiagramLink) { self.link = link }

    /// The size of the loop and its texts.
    var size: Size {
        let text = link.labels.map { TextWidth.of($0, size: BoxDrawing.smallSize) }.max() ?? 0
        return Size(width: Self.width + 22 + text + 14, height: Self.height)
    }

    /// - Parameter corner: The upper left corner of the space for the loop, at the lower side of the box.
    func markup(at corner: Point) -> HTML {
        let left = Point(x: corner.x + 14, y: corner.y)
        let right = Point(x: left.x + Self.width, y: corner.y)
        let bottom = corner.y + Self.height - 8
        let symbols =
            EndSymbol(link.parent.count, below: left).markup
            + EndSymbol(link.child.count, below: right).markup
        return """
            <g class="link" data-from="\(link.parent.entity)" data-to="\(link.child.entity)">
            <title>\(link.title)</title>
            <path class="line\(link.isEmbedded ? " embedded" : "")" \
            d="M\(left.x) \(left.y)V\(bottom - 8)a8 8 0 0 0 8 8H\(right.x - 8)a8 8 0 0 0 8 -8V\(right.y)"/>
            \(symbols)
            \(texts(at: Point(x: right.x + 10, y: corner.y)))</g>

            """
    }

    private func texts(at point: Point) -> HTML {
        link.labels.enumerated().map { index, label -> HTML in
            "<text class=\"label\" x=\"\(point.x)\" y=\"\(point.y + 20 + Double(index) * 14)\">\(label)</text>\n"
        }.joined()
    }
}
