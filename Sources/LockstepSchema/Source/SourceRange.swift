/// A position in a file. Lines and columns are counted from 1; columns count Unicode scalars, as in libyaml.
package struct SourcePosition: Codable, Hashable, Sendable, Comparable {
    // A schema of 1,000 entities has about 100,000 positions; at half the width, copying them costs half. The lines and
    // columns of the largest file, 16 MiB, fit.
    private var storedLine: UInt32
    /// The file in the upper 7 bits, the column in the others.
    private var storedColumn: UInt32

    private static let columnBitCount = 25
    private static let greatestColumn = 1 << columnBitCount - 1

    /// The file that the position is in: 0 for the schema, and 1 and so on for the files that it includes, in order.
    /// A position in a ``SourceRange`` has 0, because the range has the path.
    var file: Int {
        get { Int(storedColumn >> Self.columnBitCount) }
        set { storedColumn = UInt32(newValue) << Self.columnBitCount | UInt32(column) }
    }

    /// The greatest number of files that a schema can include.
    static let greatestFile = 1 << (32 - columnBitCount) - 1

    package var line: Int {
        get { Int(storedLine) }
        set { storedLine = UInt32(clamping: newValue) }
    }

    package var column: Int {
        get { Int(storedColumn) & Self.greatestColumn }
        set { storedColumn = UInt32(file << Self.columnBitCount | min(max(newValue, 0), Self.greatestColumn)) }
    }

    package init(line: Int, column: Int) {
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(min(max(column, 0), Self.greatestColumn))
    }

    private enum CodingKeys: String, CodingKey {
        case storedLine = "line"
        case storedColumn = "column"
    }

    package static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
        (lhs.file, lhs.line, lhs.column) < (rhs.file, rhs.line, rhs.column)
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

    /// The range in the file of these that it is in.
    init(paths: [String], range: TextRange) {
        self.init(path: "", range: range)
        locate(in: paths)
    }

    /// Adds the path, which a range of a text does not have.
    mutating func locate(in paths: [String]) {
        path = paths[start.file]
        (start.file, end.file) = (0, 0)
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
