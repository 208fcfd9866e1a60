/// A place in a file. Lines and columns count from 1; columns count Unicode scalars, as libyaml does.
public struct SourcePosition: Codable, Hashable, Sendable, Comparable {
    // A schema of 1,000 entities has some 100,000 places; at half the width they cost half the copying. 16 MiB, the
    // greatest file, have fewer lines and columns than this counts.
    private var storedLine: UInt32
    private var storedColumn: UInt32

    public var line: Int {
        get { Int(storedLine) }
        set { storedLine = UInt32(clamping: newValue) }
    }

    public var column: Int {
        get { Int(storedColumn) }
        set { storedColumn = UInt32(clamping: newValue) }
    }

    public init(line: Int, column: Int) {
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
    }

    private enum CodingKeys: String, CodingKey {
        case storedLine = "line"
        case storedColumn = "column"
    }

    public static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
        (lhs.line, lhs.column) < (rhs.line, rhs.column)
    }
}

/// A stretch of one file, its end excluded.
public struct SourceRange: Codable, Hashable, Sendable {
    /// The path as it was given.
    public var path: String
    public var start: SourcePosition
    public var end: SourcePosition

    public init(path: String, start: SourcePosition, end: SourcePosition) {
        self.path = path
        self.start = start
        self.end = end
    }
}

/// A value together with the place it was read from.
struct Located<Value: Sendable>: Sendable {
    var value: Value
    var range: SourceRange

    init(_ value: Value, _ range: SourceRange) {
        self.value = value
        self.range = range
    }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
