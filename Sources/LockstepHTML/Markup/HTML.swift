/// HTML or SVG markup in which text is always escaped.
///
/// A literal is markup. An interpolated value is text, and is escaped for contents and for quoted attributes, unless it
/// is markup itself. Only text that is in the source code can become markup without being escaped:
///
/// ```swift
/// let row: HTML = "<td title=\"\(entity.tableName)\">\(entity.name)</td>"
/// let table: HTML = "<table>\(rows)</table>"    // `rows` is an array of markup
/// ```
///
/// Attributes must be quoted. Do not interpolate text into names of elements and attributes, addresses with a scheme,
/// or the contents of `script` and `style`: escaping does not make it safe there.
package struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// The markup.
    package private(set) var text: String

    /// The literal as markup. It is a `StaticString`, so that only the source code can contain it.
    package init(stringLiteral literal: StaticString) { text = literal.description }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// Text, escaped.
        package mutating func appendInterpolation(_ value: some StringProtocol) { text += HTML.escaped(value) }

        package mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

        /// All markup of the array, in order.
        package mutating func appendInterpolation(_ markup: [HTML]) {
            for part in markup { text += part.text }
        }

        package mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

        /// A number with at most one decimal place, which is precise enough for coordinates.
        package mutating func appendInterpolation(_ number: Double) { text += HTML.number(number) }
    }

    package var isEmpty: Bool { text.isEmpty }

    package static func + (left: HTML, right: HTML) -> HTML { "\(left)\(right)" }

    package static func += (left: inout HTML, right: HTML) { left.text += right.text }
}

extension HTML {
    /// Escapes `&`, quotes and angle brackets. Characters that XML does not allow, such as most control characters
    /// (https://www.w3.org/TR/xml/#charsets), and what changes the direction of the text after it, are replaced.
    fileprivate static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t": result.unicodeScalars.append(scalar)
            // The same to a browser, and no line of its own in a log.
            case "\n": result += "&#10;"
            case "\r": result += "&#13;"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            case "\u{2028}", "\u{2029}": result += "\u{FFFD}"
            case _ where scalar.properties.isBidiControl: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    fileprivate static func number(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
        return (tenths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : ".\(rest)")
    }
}

extension Sequence where Element == HTML {
    /// Joins the elements into one markup.
    package func joined(separator: HTML = "") -> HTML {
        var result: HTML = ""
        for (index, part) in enumerated() {
            if index > 0 { result += separator }
            result += part
        }
        return result
    }
}
