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
    /// Of a schema that has one.
    var name: String?
    private(set) var use = Use.unread
    /// What it refers to, which is read as if it were in it. A schema with a `$ref` has none: see ``OpenAPIStep``.
    private(set) weak var included: OpenAPINode?
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
        var (layer, count) = (self, 0)
        while true {
            if case .object(let entries) = layer.content, let position = layer.positions[key] {
                return entries[position].value
            }
            guard let next = layer.included, count < OpenAPIFiles.chainLimit else { return nil }
            (layer, count) = (next, count + 1)
        }
    }

    /// The entries of an object, which count as read.
    var entries: [(key: String, value: OpenAPINode)] {
        let entries = peekedEntries
        for entry in entries { entry.value.markRead() }
        return entries
    }

    /// The elements of a list, which count as read.
    var elements: [OpenAPINode] {
        let elements = peekedElements
        for element in elements { element.markRead() }
        return elements
    }

    /// The elements of a list, which do not count as read.
    var peekedElements: [OpenAPINode] {
        if case .list(let elements) = last.content { elements } else { [] }
    }

    /// The entries of an object, which do not count as read.
    var peekedEntries: [(key: String, value: OpenAPINode)] {
        guard included != nil else { return ownEntries }
        var seen: Set = ["$ref"]
        return layers.flatMap(\.ownEntries).filter { seen.insert($0.key).inserted }
    }

    private var ownEntries: [(key: String, value: OpenAPINode)] {
        if case .object(let entries) = content { entries } else { [] }
    }

    var isObject: Bool { if case .object = last.content { true } else { false } }
    var isList: Bool { if case .list = last.content { true } else { false } }

    // MARK: References

    func include(_ node: OpenAPINode) {
        included = node
        _ = self["$ref"]
    }

    /// It, and what it refers to.
    private var layers: some Sequence<OpenAPINode> {
        sequence(first: self) { $0.included }.prefix(OpenAPIFiles.chainLimit)
    }

    /// What it refers to last, which refers to more only if it refers to itself.
    var last: OpenAPINode { included == nil ? self : layers.reduce(self) { $1 } }

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
        // A schema with a name is reported by itself.
        for part in parts where part.name == nil { part.mark(use) }
    }

    /// The values in it, without those of what it refers to.
    var parts: [OpenAPINode] {
        switch content {
        case .scalar: []
        case .list(let elements): elements
        case .object(let entries): entries.map(\.value)
        }
    }
}
