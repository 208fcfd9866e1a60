import LockstepHTML

/// A relationship between two boxes: a line with a symbol at each end. The text above the line belongs to the box on
/// its left, and the text below it to the box on its right.
struct LinkDrawing {
    let link: DiagramLink

    /// The space for both texts, above and below the line.
    var labelSize: Size {
        let width = link.labels.map { TextWidth.of($0, size: BoxDrawing.smallSize) }.max() ?? 0
        return Size(width: width == 0 ? 0 : width + 8, height: link.labels.isEmpty ? 10 : 34)
    }

    func markup(along route: GraphPositions.Route) -> HTML {
        let (left, right) = route.isForward ? (link.parent, link.child) : (link.child, link.parent)
        guard let first = route.lines.first, let last = route.lines.last else { return "" }
        let symbols =
            EndSymbol(left.count, at: Point(x: first.fromX, y: first.y), direction: 1).markup
            + EndSymbol(right.count, at: Point(x: last.toX, y: last.y), direction: -1).markup
        return """
            <g class="link" data-from="\(link.parent.entity)" data-to="\(link.child.entity)">
            <title>\(link.title)</title>
            <path class="line\(link.isEmbedded ? " embedded" : "")" d="\(path(along: route.lines))"/>
            \(symbols)
            \(label(left.label, right.label, in: route.label))</g>

            """
    }

    /// Lines with curves between them, whose tangents are horizontal at both ends.
    private func path(along lines: [GraphPositions.Line]) -> HTML {
        var result: HTML = ""
        for (index, line) in lines.enumerated() {
            if index == 0 {
                result += "M\(line.fromX) \(line.y)"
            } else {
                let former = lines[index - 1]
                let middle = (former.toX + line.fromX) / 2
                result += "C\(middle) \(former.y) \(middle) \(line.y) \(line.fromX) \(line.y)"
            }
            result += "H\(line.toX)"
        }
        return result
    }

    private func label(_ left: String?, _ right: String?, in frame: Rectangle) -> HTML {
        var result: HTML = ""
        if let left {
            result += "<text class=\"label\" x=\"\(frame.x + 4)\" y=\"\(frame.midY - 5)\">\(left)</text>\n"
        }
        if let right {
            result += "<text class=\"label end\" x=\"\(frame.maxX - 4)\" y=\"\(frame.midY + 13)\">\(right)</text>\n"
        }
        return result
    }
}

extension DiagramLink {
    var isEmbedded: Bool { parent.isEmbedding || child.isEmbedding }

    /// The text for screen readers: `Article, exactly one – ArticleComment, zero or more: comments · cascade`.
    var title: String {
        let ends = "\(parent.entity), \(parent.count.text) – \(child.entity), \(child.count.text)"
        return labels.isEmpty ? ends : ends + ": " + labels.joined(separator: " / ")
    }
}

extension DiagramLink.Count {
    /// The cardinality in words.
    package var text: String {
        switch self {
        case .one: "exactly one"
        case .zeroOrOne: "zero or one"
        case .zeroOrMore: "zero or more"
        }
    }
}
