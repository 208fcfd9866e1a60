import LockstepJSON
import LockstepSchema

/// A value of a description, with its line. Reading it notes that it was read, so that nothing of a file is passed
/// over in silence.
final class OpenAPINode {
    enum Content {
        case scalar(String, isPlain: Bool)
        case list([OpenAPINode])
        case object([(key: String, value: OpenAPINode)])
    }

    enum Use {
        case unread, read
        /// It means nothing to a schema.
        case ignored
        /// It was reported as a whole.
        case reported
    }

    let content: Content
    /// From 1.
    let line: Int
    let lastLine: Int
    private(set) var use = Use.unread
    private lazy var positions: [String: Int] = {
        guard case .object(let entries) = content else { return [:] }
        return Dictionary(entries.enumerated().map { ($1.key, $0) }) { first, _ in first }
    }()

    init(_ content: Content, line: Int, lastLine: Int) {
        (self.content, self.line, self.lastLine) = (content, line, lastLine)
    }

    // MARK: Reading

    /// The value of a key, which counts as read.
    subscript(_ key: String) -> OpenAPINode? {
        let value = peek(key)
        value?.markRead()
        return value
    }

    /// The value of a key, which does not count as read.
    func peek(_ key: String) -> OpenAPINode? {
        guard case .object(let entries) = content, let position = positions[key] else { return nil }
        return entries[position].value
    }

    /// The entries of an object, which count as read.
    var entries: [(key: String, value: OpenAPINode)] {
        guard case .object(let entries) = content else { return [] }
        for entry in entries { entry.value.markRead() }
        return entries
    }

    /// The elements of a list, which count as read.
    var elements: [OpenAPINode] {
        guard case .list(let elements) = content else { return [] }
        for element in elements { element.markRead() }
        return elements
    }

    /// The elements of a list, which do not count as read.
    var peekedElements: [OpenAPINode] {
        if case .list(let elements) = content { elements } else { [] }
    }

    /// The entries of an object, which do not count as read.
    var peekedEntries: [(key: String, value: OpenAPINode)] {
        if case .object(let entries) = content { entries } else { [] }
    }

    var isObject: Bool { if case .object = content { true } else { false } }
    var isList: Bool { if case .list = content { true } else { false } }

    // MARK: Values

    /// The text of a scalar.
    var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    var bool: Bool? {
        guard case .scalar(let text, isPlain: true) = content else { return nil }
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: return nil
        }
    }

    /// A number with all its digits.
    var number: JSONValue? {
        guard case .scalar(let text, isPlain: true) = content, let first = text.utf8.first,
            first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return nil }
        switch try? JSONValue(parsing: text) {
        case .integer(let number): return .integer(number)
        case .decimal(let number): return .decimal(number)
        case .double(let number): return .double(number)
        default: return nil
        }
    }

    var integer: Int64? {
        switch number {
        case .integer(let number): number
        case .decimal, .double: text.flatMap(Double.init).flatMap { Int64(exactly: $0) }
        default: nil
        }
    }

    /// The value as JSON.
    var json: JSONValue {
        switch content {
        case .scalar(let text, _):
            if isNull { return .null }
            if let bool { return .bool(bool) }
            return number ?? .string(text)
        case .list(let elements): return .array(elements.map(\.json))
        case .object(let entries):
            return .object(JSONObject(entries.reversed().map { ($0.key, $0.value.json) }))
        }
    }

    // MARK: Use

    func markRead() {
        if use == .unread { use = .read }
    }

    /// Counts it as read with everything in it.
    func readAll() { mark(.read) }

    /// Marks everything in it that was not read as not relevant.
    func ignore() { mark(.ignored) }

    /// Counts it as reported with everything in it that was not read.
    func report() { mark(.reported) }

    private func mark(_ use: Use) {
        if self.use == .unread || self.use == .read && use == .reported { self.use = use }
        switch content {
        case .scalar: break
        case .list(let elements): elements.forEach { $0.mark(use) }
        case .object(let entries): entries.forEach { $0.value.mark(use) }
        }
    }
}
