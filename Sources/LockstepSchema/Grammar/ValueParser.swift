import LockstepJSON

/// The shape of a value together with its parser, so that what is documented is what is accepted.
struct ValueParser<Value: Sendable>: Sendable {
    let shape: ValueShape
    /// Returns the value of a node, or `nil` after reporting why it is invalid. The description is that of its key.
    let read: @Sendable (Node, KeyDescription, inout GrammarReading) -> Value?

    init(
        _ shape: ValueShape, read: @escaping @Sendable (Node, KeyDescription, inout GrammarReading) -> Value?
    ) {
        self.shape = shape
        self.read = read
    }

    /// A parser for which a node either has a value or is of the wrong kind.
    init(_ shape: ValueShape, value: @escaping @Sendable (Node) -> Value?) {
        self.init(shape) { node, key, reading in
            value(node) ?? reading.fail(.wrongKind(node, under: key))
        }
    }
}

extension ValueParser where Value == String {
    static var text: Self { line(.text) }

    static var prose: Self {
        ValueParser(.prose) { $0.boolean == nil && !$0.isNumber ? $0.presentText : nil }
    }

    static var name: Self { line(.name) }

    /// The name of something that is declared elsewhere.
    static func reference(to referent: Referent) -> Self { line(.reference(referent)) }

    /// A name in one line, all of which can be seen: it is printed in code, in SQL and in terminals.
    private static func line(_ shape: ValueShape) -> Self {
        ValueParser(shape) { node, key, reading in
            guard let text = node.presentText else { return reading.fail(.wrongKind(node, under: key)) }
            guard !text.hasHidden, !text.contains("\t") else {
                return reading.fail(.unusableName(text, at: node.range, under: key.name))
            }
            return text
        }
    }

    /// A number, as the digits in which it is written.
    static var number: Self { ValueParser(.number) { $0.isNumber ? $0.text : nil } }
}

extension ValueParser where Value == Bool {
    static var bool: Self { ValueParser(.bool, value: \.boolean) }
}

extension ValueParser where Value == Int64 {
    static func integer(least: Int64) -> Self {
        ValueParser(.integer(least: least)) { node, key, reading in
            guard let number = node.integer else { return reading.fail(.wrongKind(node, under: key)) }
            return number >= least ? number : reading.fail(.tooSmall(number, least: least, at: node.range, key: key))
        }
    }
}

extension ValueParser where Value == [Located<String>] {
    /// One name, or a list of at least one.
    static var oneOrMoreNames: Self { oneOrMore(.name) }

    /// The same for names of this kind.
    static func oneOrMoreReferences(to referent: Referent) -> Self { oneOrMore(.reference(referent)) }

    /// A list of at least one name.
    static var names: Self { list(of: .name) }

    private static func oneOrMore(_ shape: ValueShape) -> Self {
        let list = Self.list(of: shape)
        return ValueParser(.either([shape, list.shape])) { node, key, reading in
            if let name = node.presentText { return [Located(name, range: node.range)] }
            return list.read(node, key, &reading)
        }
    }

    private static func list(of shape: ValueShape) -> Self {
        .list(
            of: ValueParser<Located<String>>(shape) { node in node.presentText.map { Located($0, range: node.range) } },
            leastCount: 1
        )
    }
}

extension ValueParser {
    /// A list of values of another kind. Unreadable elements are reported and left out.
    static func list<Element>(of element: ValueParser<Element>, leastCount: Int = 0) -> Self where Value == [Element] {
        ValueParser(.list(of: element.shape, leastCount: leastCount)) { node, key, reading in
            guard case .sequence(let nodes) = node.content, nodes.count >= leastCount else {
                return reading.fail(.wrongKind(node, under: key))
            }
            return nodes.compactMap { element.read($0, key, &reading) }
        }
    }

    /// One of the values of an enum; `documentation` describes each.
    static func choice(_ values: [Value], documentation: [String]) -> Self
    where Value: RawRepresentable, Value.RawValue == String {
        choice(zip(values, documentation).map { Choice($0.rawValue, documentation: $1) }) { Value(rawValue: $0) }
    }

    static func choice(_ choices: [Choice], value: @escaping @Sendable (String) -> Value?) -> Self {
        let allowed = choices.map(\.value)
        return ValueParser(.choice(choices)) { node, key, reading in
            guard let text = node.presentText else { return reading.fail(.wrongKind(node, under: key)) }
            guard allowed.contains(text), let value = value(text) else {
                return reading.fail(.notAllowed(text, at: node.range, under: key.name, allowed: allowed))
            }
            return value
        }
    }
}
