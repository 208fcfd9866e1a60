/// A position in a file. Lines and columns are counted from 1; columns count Unicode scalars, as in libyaml.
package struct SourcePosition: Codable, Hashable, Sendable, Comparable {
    // A schema of 1,000 entities has about 100,000 positions; at half the width, copying them costs half. The lines and
    // columns of the largest file, 16 MiB, fit.
    private var storedLine: UInt32
    private var storedColumn: UInt32

    package var line: Int {
        get { Int(storedLine) }
        set { storedLine = UInt32(clamping: newValue) }
    }

    package var column: Int {
        get { Int(storedColumn) }
        set { storedColumn = UInt32(clamping: newValue) }
    }

    package init(line: Int, column: Int) {
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
    }

    private enum CodingKeys: String, CodingKey {
        case storedLine = "line"
        case storedColumn = "column"
    }

    package static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
        (lhs.line, lhs.column) < (rhs.line, rhs.column)
    }
}

/// A range in one file, excluding its end.
package struct SourceRange: Codable, Hashable, Sendable {
    /// The path as it was passed.
    package var path: String
    package var start: SourcePosition
    package var end: SourcePosition

    package init(path: String, start: SourcePosition, end: SourcePosition) {
        self.path = path
        self.start = start
        self.end = end
    }
}

/// A range in a text, excluding its end. A file has very many of them, so they do not name it.
package struct TextRange: Hashable, Sendable {
    package var start: SourcePosition
    package var end: SourcePosition

    package init(start: SourcePosition, end: SourcePosition) { (self.start, self.end) = (start, end) }
}

extension SourceRange {
    init(path: String, range: TextRange) {
        self.init(path: path, start: range.start, end: range.end)
    }
}

/// A value together with its location in the file.
struct Located<Value: Sendable>: Sendable {
    var value: Value
    var range: TextRange

    init(_ value: Value, range: TextRange) {
        self.value = value
        self.range = range
    }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
