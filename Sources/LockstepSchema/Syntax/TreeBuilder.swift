internal import CLibYAML

/// Builds the tree of nodes from libyaml's events, with one recursive call for each list and mapping.
struct TreeBuilder: ~Copyable {
    private let path: String
    private let file: Int
    private let events: YAMLEvents
    var diagnostics: [Diagnostic] = []

    private var anchors: [String: Anchor] = [:]
    /// Whether a value was unreadable. The grammar would report the same problem again, as a missing key or an empty
    /// value.
    private var hasLostValue = false
    /// The number of nodes so far, including those that aliases stand for.
    private var nodeCount = 0
    private var aliasedNodeCount = 0
    private var unknownAliasCount = 0
    private var depth = 0
    /// The greatest depth since the innermost open anchor began.
    private var deepest = 0

    /// Few mappings have more keys, so that few need more than one allocation.
    private static let usualKeyCount = 6

    /// The value of an anchor.
    private struct Anchor {
        /// `nil` while its own value is being read: an alias to it there would never end.
        var node: Node?
        var nodeCount = 0
        /// The number of nested levels of lists and mappings in it.
        var height = 0
    }

    init(path: String, file: Int, events: consuming YAMLEvents) {
        self.path = path
        self.file = file
        self.events = events
    }

    /// The only document of the stream; `nil` with a diagnostic if it is empty.
    mutating func document() throws(ReadingStop) -> Node? {
        try advance()  // the stream's start
        try advance()
        guard event.type == YAML_DOCUMENT_START_EVENT else { return reportEmpty() }
        try advance()
        let isEmpty = isEmptyScalar
        let root = try node()
        try advance()  // the document's end
        try advance()
        if event.type == YAML_DOCUMENT_START_EVENT {
            diagnostics.append(.severalDocuments(at: range, first: root.range))
            return nil
        }
        if isEmpty { return reportEmpty() }
        return hasLostValue ? nil : root
    }

    private mutating func reportEmpty() -> Node? {
        diagnostics.append(.emptyFile(path: path))
        return nil
    }

    // MARK: Events

    private mutating func advance() throws(ReadingStop) {
        guard events.advance() else { throw .refused(events.failure) }
    }

    private var event: yaml_event_t { _read { yield events.current } }

    private var range: TextRange {
        TextRange(start: SourcePosition(event.start_mark, file: file), end: end)
    }

    private var end: SourcePosition { SourcePosition(event.end_mark, file: file) }

    private var isEmptyScalar: Bool {
        event.type == YAML_SCALAR_EVENT && event.data.scalar.length == 0
            && event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE
    }

    // MARK: Nodes

    /// The node that begins with the current event. Its last event is current afterwards.
    private mutating func node() throws(ReadingStop) -> Node {
        nodeCount += 1
        switch event.type {
        case YAML_ALIAS_EVENT: return try alias()
        case YAML_SCALAR_EVENT:
            guard let anchor = event.data.scalar.anchor else { return scalar() }
            return try anchored(anchor) { builder throws(ReadingStop) in builder.scalar() }
        case YAML_SEQUENCE_START_EVENT:
            guard let anchor = event.data.sequence_start.anchor else { return try sequence() }
            return try anchored(anchor) { builder throws(ReadingStop) in try builder.sequence() }
        default:
            guard let anchor = event.data.mapping_start.anchor else { return try mapping() }
            return try anchored(anchor) { builder throws(ReadingStop) in try builder.mapping() }
        }
    }

    private mutating func scalar() -> Node {
        let scalar = event.data.scalar
        let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        var isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
        if let tag = scalar.tag {
            isPlain = check(tag: tag, on: .scalar) ?? isPlain
        }
        return Node(content: .scalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain), range: range)
    }

    private mutating func sequence() throws(ReadingStop) -> Node {
        var range = self.range
        if let tag = event.data.sequence_start.tag { _ = check(tag: tag, on: .sequence) }
        try enter()
        var elements: [Node] = []
        while true {
            try advance()
            if event.type == YAML_SEQUENCE_END_EVENT { break }
            elements.append(try node())
        }
        depth -= 1
        range.end = end
        return Node(content: .sequence(elements), range: range)
    }

    private mutating func mapping() throws(ReadingStop) -> Node {
        var range = self.range
        if let tag = event.data.mapping_start.tag { _ = check(tag: tag, on: .mapping) }
        try enter()
        var entries: [Node.Entry] = []
        entries.reserveCapacity(Self.usualKeyCount)
        while true {
            try advance()
            if event.type == YAML_MAPPING_END_EVENT { break }
            let key = try node()
            try advance()
            entries.append(Node.Entry(key: key, value: try node()))
        }
        depth -= 1
        range.end = end
        entries.removeRepeatedKeys(&diagnostics)
        if !entries.mergeInherited(&diagnostics) { hasLostValue = true }
        return Node(content: .mapping(entries), range: range)
    }

    private mutating func enter() throws(ReadingStop) {
        depth += 1
        deepest = max(deepest, depth)
        guard depth <= SyntaxLimits.depth else { throw .limit(.nestedTooDeep(at: range)) }
    }

    // MARK: Anchors, aliases and tags

    private mutating func anchored(
        _ name: UnsafePointer<yaml_char_t>, read: (inout TreeBuilder) throws(ReadingStop) -> Node
    ) throws(ReadingStop) -> Node {
        let name = String(cString: name)
        let countBefore = nodeCount
        let deepestBefore = deepest
        deepest = depth
        anchors[name] = Anchor()
        let node = try read(&self)
        anchors[name] = Anchor(node: node, nodeCount: nodeCount - countBefore + 1, height: deepest - depth)
        deepest = max(deepest, deepestBefore)
        return node
    }

    /// The node of an anchor, at the location of the alias; its contents keep their locations.
    private mutating func alias() throws(ReadingStop) -> Node {
        let name = String(cString: event.data.alias.anchor)
        guard let anchor = anchors[name], var node = anchor.node else { return loseAlias(name) }
        nodeCount += anchor.nodeCount
        aliasedNodeCount += anchor.nodeCount
        deepest = max(deepest, depth + anchor.height)
        guard aliasedNodeCount <= SyntaxLimits.aliasedNodeCount else { throw .limit(.aliasesTooLarge(at: range)) }
        guard depth + anchor.height <= SyntaxLimits.depth else { throw .limit(.nestedTooDeep(at: range)) }
        node.range = range
        return node
    }

    private mutating func loseAlias(_ name: String) -> Node {
        hasLostValue = true
        unknownAliasCount += 1
        let isSuggesting = max(unknownAliasCount, anchors.count) <= SyntaxLimits.suggestionCount
        diagnostics.append(
            .unknownAlias(
                name, at: range, isInsideItself: anchors[name] != nil, known: isSuggesting ? anchors.keys.sorted() : [])
        )
        return Node(content: .scalar("", isPlain: true), range: range)
    }

    /// Reports a tag that is not a standard tag of YAML, or that does not match. For a scalar, returns whether the tag
    /// makes it plain.
    private mutating func check(tag: UnsafePointer<yaml_char_t>, on kind: TagKind) -> Bool? {
        let name = String(cString: tag)
        if kind == .scalar, let isPlain = TagKind.scalarTags[name] { return isPlain }
        if kind.collectionTags.contains(name) { return nil }
        diagnostics.append(.unknownTag(name, at: range))
        return nil
    }
}

/// The kind of node that a tag precedes.
private enum TagKind {
    case scalar, sequence, mapping

    private static let prefix = "tag:yaml.org,2002:"

    /// The tags of scalars that add nothing to their text; the value is whether the text then counts as plain.
    static let scalarTags: [String: Bool] = [
        "!": false, prefix + "str": false, prefix + "int": true, prefix + "float": true, prefix + "bool": true,
        prefix + "null": true, prefix + "timestamp": true,
    ]

    var collectionTags: [String] {
        switch self {
        case .scalar: []
        case .sequence: ["!", Self.prefix + "seq"]
        case .mapping: ["!", Self.prefix + "map"]
        }
    }
}
