import LockstepEvolution

/// The form of a value in JSON, with what a reader of it accepts (N3, N4 and N5 of the rules of merging).
indirect enum ValueForm: Hashable, Sendable {
    case string, day, url, uuid, data, attachment, json
    case bool(isText: Bool)
    /// An integer of so many bits.
    case whole(bits: Int, isText: Bool)
    case number(ScalarType, isText: Bool)
    /// The name of a format, or a pattern.
    case date(String)
    case enumeration(isInteger: Bool, isClosed: Bool)
    case list(ValueForm)

    init(_ type: ValueType, format: String?, enumeration: (String) -> EnumerationStructure?) {
        switch type {
        case .list(let element): self = .list(ValueForm(element, format: format, enumeration: enumeration))
        case .attachment: self = .attachment
        case .enumeration(let name):
            let found = enumeration(name)
            self = .enumeration(isInteger: found?.isInteger ?? false, isClosed: found?.isClosed ?? false)
        case .scalar(let scalar): self.init(scalar, format: format)
        }
    }

    private init(_ scalar: ScalarType, format: String?) {
        let isText = format == "text"
        switch scalar {
        case .string: self = .string
        case .day: self = .day
        case .url: self = .url
        case .uuid: self = .uuid
        case .data: self = .data
        case .json: self = .json
        case .bool: self = .bool(isText: isText)
        case .int16: self = .whole(bits: 16, isText: isText)
        case .int32: self = .whole(bits: 32, isText: isText)
        case .int, .int64: self = .whole(bits: 64, isText: isText)
        case .float, .double, .decimal: self = .number(scalar, isText: isText)
        case .date: self = .date(format ?? "iso8601")
        }
    }

    /// Returns the consequences if a reader of this form gets values of another.
    func reading(_ other: ValueForm) -> WireLevel {
        if self == other { return .safe }
        switch (self, other) {
        case (.json, _): return .safe
        case (_, .json): return .dangerous
        case (.list(let element), .list(let written)): return element.reading(written)
        case (.list, _), (_, .list), (.attachment, _), (_, .attachment): return .breaking
        // A date is read from ISO 8601 in every format.
        case (.date, .day), (.day, .date(Self.dayPattern)): return .safe
        case (.date(let format), .date(let written)): return Self.readingDate(format, written: written)
        case (.enumeration(let isInteger, let isClosed), _):
            return other.isOfEnumeration(isInteger)
                ? (isClosed && !other.isEnumeration ? .dangerous : .safe) : .breaking
        case (.string, _): return other.isText ? .safe : .breaking
        case (.whole, _), (.number, _): return readingNumber(other)
        case (.bool, .bool): return .safe
        case (.bool, .whole), (.bool, .string), (.date, .string), (.date, .whole), (.date, .number), (.uuid, .string),
            (.url, .string), (.url, .uuid), (.data, .string), (.day, .string), (.day, .date):
            return .dangerous
        case (.bool, _), (.date, _), (.day, _), (.uuid, _), (.url, _), (.data, _): return .breaking
        }
    }

    /// The pattern of dates that are sent like days.
    private static let dayPattern = "yyyy-MM-dd"

    private func readingNumber(_ other: ValueForm) -> WireLevel {
        switch (self, other) {
        case (.whole(let bits, _), .whole(let written, _)): written <= bits ? .safe : .dangerous
        case (.number, .whole), (.number, .enumeration(isInteger: true, _)): .safe
        case (.number(let type, _), .number(let written, _)):
            type == .float && written != .float ? .dangerous : .safe
        case (.whole, .number), (.whole, .string), (.number, .string), (.whole, .enumeration(isInteger: true, _)):
            .dangerous
        default: .breaking
        }
    }

    /// ISO 8601 is read in every format, a pattern only in its own. A number means seconds or milliseconds according to
    /// the format; where that has no unit, according to its size.
    private static func readingDate(_ format: String, written: String) -> WireLevel {
        if format == written || written == "iso8601" { return .safe }
        guard let writtenUnit = unit(written) else { return .breaking }
        if let unit = unit(format) { return unit == writtenUnit ? .safe : .breaking }
        return switch writtenUnit {
        case .seconds: .safe
        case .milliseconds: .dangerous
        case .microseconds: .breaking
        }
    }

    private enum Unit { case seconds, milliseconds, microseconds }

    /// The unit of a format that is a number; `nil` for a text.
    private static func unit(_ format: String) -> Unit? {
        switch format {
        case "secondsSince1970", "fractionalSecondsSince1970": .seconds
        case "millisecondsSince1970", "fractionalMillisecondsSince1970": .milliseconds
        case "microsecondsSince1970": .microseconds
        default: nil
        }
    }

    /// Whether a server that was made for this form accepts another one: the same kind of JSON, with no more values.
    func accepts(_ other: ValueForm) -> Bool {
        if self == other { return true }
        switch (self, other) {
        case (.list(let element), .list(let written)): return element.accepts(written)
        case (.date(Self.dayPattern), .day), (.day, .date(Self.dayPattern)): return true
        case (.date, _): return false
        default: return kind == other.kind && reading(other) == .safe
        }
    }

    private enum Kind { case string, number, bool, list, any }

    private var kind: Kind {
        switch self {
        case .string, .day, .url, .uuid, .data, .attachment, .enumeration(isInteger: false, _): .string
        case .bool(let isText): isText ? .string : .bool
        case .whole(_, let isText), .number(_, let isText): isText ? .string : .number
        case .date(let format): Self.unit(format) == nil ? .string : .number
        case .enumeration: .number
        case .list: .list
        case .json: .any
        }
    }

    private var isText: Bool { kind == .string }

    private var isEnumeration: Bool { if case .enumeration = self { true } else { false } }

    private func isOfEnumeration(_ isInteger: Bool) -> Bool {
        switch self {
        case .enumeration(let other, _): other == isInteger
        case .whole: isInteger
        default: isText && !isInteger
        }
    }
}

extension AttributeLimits {
    /// Whether some value within the other limits is outside these.
    func isNarrower(than other: AttributeLimits) -> Bool {
        Self.isAbove(minimum.flatMap(Double.init), and: other.minimum.flatMap(Double.init))
            || Self.isBelow(maximum.flatMap(Double.init), and: other.maximum.flatMap(Double.init))
            || Self.isAbove(minimumLength.map(Double.init), and: other.minimumLength.map(Double.init))
            || Self.isBelow(maximumLength.map(Double.init), and: other.maximumLength.map(Double.init))
    }

    /// Whether a minimum excludes more than another one.
    private static func isAbove(_ minimum: Double?, and other: Double?) -> Bool {
        minimum.map { $0 > other ?? -.infinity } ?? false
    }

    /// Whether a maximum excludes more than another one.
    private static func isBelow(_ maximum: Double?, and other: Double?) -> Bool {
        maximum.map { $0 < other ?? .infinity } ?? false
    }
}
