import LockstepHTML

/// The cardinality of an end of a link in crow's-foot notation: a bar means one, a circle means zero, and the foot
/// means many.
struct EndSymbol {
    private let count: DiagramLink.Count
    /// Where the line meets the box.
    private let point: Point
    /// The direction away from the box: the signs of x and y.
    private let away: (x: Double, y: Double)

    /// At the side of a box; `direction` is 1 at its right side, -1 at its left side.
    init(_ count: DiagramLink.Count, at point: Point, direction: Double) {
        self.count = count
        self.point = point
        away = (direction, 0)
    }

    /// At the lower side of a box.
    init(_ count: DiagramLink.Count, below point: Point) {
        self.count = count
        self.point = point
        away = (0, 1)
    }

    var markup: HTML {
        switch count {
        case .one: "<path class=\"end-symbol\" d=\"\(bar(at: 8))\(bar(at: 13))\"/>"
        case .zeroOrOne: "<path class=\"end-symbol\" d=\"\(bar(at: 8))\"/>\(circle(at: 17))"
        case .zeroOrMore: "<path class=\"end-symbol\" d=\"\(foot)\"/>\(circle(at: 17))"
        }
    }

    /// The point at this distance from the box, and beside the line.
    private func point(_ distance: Double, beside: Double = 0) -> HTML {
        "\(point.x + away.x * distance + away.y * beside) \(point.y + away.y * distance + away.x * beside)"
    }

    private func bar(at distance: Double) -> HTML {
        "M\(point(distance, beside: -5))L\(point(distance, beside: 5))"
    }

    private var foot: HTML {
        "M\(point(0, beside: -6))L\(point(12))L\(point(0, beside: 6))"
    }

    private func circle(at distance: Double) -> HTML {
        "<circle class=\"none\" cx=\"\(point.x + away.x * distance)\" cy=\"\(point.y + away.y * distance)\" r=\"4\"/>"
    }
}
