/// One line of text with code and links.
struct Cell: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
    var spans: [Span]

    enum Span {
        case text(String)
        case code(String)
        /// A name in code, with a link to its section.
        case link(String, Anchor)
    }

    init(_ spans: [Span]) { self.spans = spans }

    init(stringLiteral text: String) { spans = text.isEmpty ? [] : [.text(text)] }

    init(arrayLiteral elements: Span...) { spans = elements }

    static func text(_ text: String?) -> Cell { Cell(text.map { [.text($0)] } ?? []) }

    static func code(_ text: String?) -> Cell { Cell(text.map { [.code($0)] } ?? []) }

    static func + (left: Cell, right: Cell) -> Cell { Cell(left.spans + right.spans) }
}

extension [Cell] {
    /// Joins the cells that are not empty into one.
    func joined(separator: String) -> Cell {
        var result = Cell([])
        for cell in self where !cell.spans.isEmpty {
            if !result.spans.isEmpty { result.spans.append(.text(separator)) }
            result.spans += cell.spans
        }
        return result
    }
}
