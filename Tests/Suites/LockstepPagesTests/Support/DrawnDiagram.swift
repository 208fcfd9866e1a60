import Foundation
import TestSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// What is in an SVG file, found by reading it as XML.
final class DrawnDiagram: NSObject, XMLParserDelegate {
    struct Box {
        var entity: String
        var frame: CGRect
    }

    struct Line {
        var from: String
        var to: String
        /// Close to each other, from the beginning to the end.
        var points: [CGPoint]
    }

    private(set) var boxes: [Box] = []
    private(set) var lines: [Line] = []
    /// The texts of the elements with the class `label`, with the point that they are anchored at.
    private(set) var labels: [(text: String, x: Double, y: Double, isEnd: Bool)] = []
    private(set) var titles: [String] = []
    private(set) var size = CGSize.zero
    private var groups: [[String: String]] = []
    private var text = ""

    /// - Throws: The parser's error if the text is not well-formed.
    init(_ svg: String) throws {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.propertyListReadCorrupt) }
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        groups.append(attributes)
        let classes = (attributes["class"] ?? "").split(separator: " ")
        switch element {
        case "svg":
            size = CGSize(width: number(attributes, "width"), height: number(attributes, "height"))
        case "rect" where classes.contains("box"):
            let frame = CGRect(
                x: number(attributes, "x"), y: number(attributes, "y"), width: number(attributes, "width"),
                height: number(attributes, "height"))
            boxes.append(Box(entity: attribute("data-entity"), frame: frame))
        case "path" where classes.contains("line"):
            let points = PathPoints(attributes["d"] ?? "").points
            lines.append(Line(from: attribute("data-from"), to: attribute("data-to"), points: points))
        case "text" where classes.contains("label"):
            labels.append(("", number(attributes, "x"), number(attributes, "y"), classes.contains("end")))
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
        let attributes = groups.removeLast()
        if element == "title" { titles.append(text) }
        if element == "text", attributes["class"]?.hasPrefix("label") == true { labels[labels.count - 1].text = text }
    }

    private func number(_ attributes: [String: String], _ name: String) -> Double {
        attributes[name].flatMap(Double.init) ?? .nan
    }

    /// That of the innermost element that has it.
    private func attribute(_ name: String) -> String { groups.compactMap { $0[name] }.last ?? "" }
}

/// The points of a path with the commands that diagrams have: M, H, V, C, L and a.
private struct PathPoints {
    private(set) var points: [CGPoint] = []
    private var current = CGPoint.zero

    init(_ path: String) {
        for match in path.matches(of: /([MHVCLa])([^MHVCLa]*)/) {
            let numbers = match.2.split(separator: " ").compactMap { Double($0) }
            switch match.1 {
            case "M", "L": move(to: CGPoint(x: numbers[0], y: numbers[1]))
            case "H": move(to: CGPoint(x: numbers[0], y: current.y))
            case "V": move(to: CGPoint(x: current.x, y: numbers[0]))
            case "a": move(to: CGPoint(x: current.x + numbers[5], y: current.y + numbers[6]))
            default: curve(numbers)
            }
        }
    }

    private mutating func move(to point: CGPoint) {
        if !points.isEmpty {
            let start = current
            for step in 1..<20 {
                let share = Double(step) / 20
                points.append(
                    CGPoint(x: start.x + (point.x - start.x) * share, y: start.y + (point.y - start.y) * share))
            }
        }
        points.append(point)
        current = point
    }

    /// Cubic Bézier.
    private mutating func curve(_ numbers: [Double]) {
        let start = current
        for step in 1...40 {
            let t = Double(step) / 40
            let s = 1 - t
            let weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
            let x = weights[0] * start.x + weights[1] * numbers[0] + weights[2] * numbers[2] + weights[3] * numbers[4]
            let y = weights[0] * start.y + weights[1] * numbers[1] + weights[2] * numbers[3] + weights[3] * numbers[5]
            points.append(CGPoint(x: x, y: y))
        }
        current = CGPoint(x: numbers[4], y: numbers[5])
    }
}
