/// The shape of a value together with its parser, so that what is documented is what is accepted.
struct Kind<Value: Sendable>: Sendable {
    let shape: Shape
    /// Returns the value of a node, or `nil` after reporting why it is invalid. The description is that of its key.
    let read: @Sendable (Node, KeyDescription, inout GrammarReading) -> Value?

    init(
        _ shape: Shape, read: @escaping @Sendable (Node, KeyDescription, inout GrammarReading) -> Value?
    ) {
        self.shape = shape
        self.read = read
    }

    /// A kind for which a node either has a value or is of the wrong kind.
    init(_ shape: Shape, value: @escaping @Sendable (Node) -> Value?) {
        self.init(shape) { node, key, reading in
            value(node) ?? reading.fail(.wrongKind(node, under: key))
        }
    }
}

extension Kind where Value == String {
    static var text: Self { Kind(.text, value: \.presentText) }

    static var prose: Self {
        Kind(.prose) { $0.boolean == nil && !$0.isNumber ? $0.presentText : nil }
    }

    static var name: Self { Kind(.name, value: \.presentText) }

    /// A number, as the digits in which it is written.
    static var number: Self { Kind(.number) { $0.isNumber ? $0.text : nil } }
}

extension Kind where Value == Bool {
    static var bool: Self { Kind(.bool, value: \.boolean) }
}

extension Kind where Value == Int64 {
    static func integer(least: Int64) -> Self {
        Kind(.integer(least: least)) { node, key, reading in
            guard let number = node.integer else { return reading.fail(.wrongKind(node, under: key)) }
            return number >= least ? number : reading.fail(.tooSmall(number, least: least, at: node.range, key))
        }
    }
}

extension Kind where Value == [Located<String>] {
    /// One name, or a list of at least one.
    static var oneOrMoreNames: Self {
        let list = Kind.names
        return Kind(.either([.name, list.shape])) { node, key, reading in
            if let name = node.presentText { return [Located(name, node.range)] }
            return list.read(node, key, &reading)
        }
    }

    /// A list of at least one name.
    static var names: Self {
        .list(
            of: Kind<Located<String>>(.name) { node in node.presentText.map { Located($0, node.range) } }, leastCount: 1
        )
    }
}

extension Kind {
    /// A list of values of another kind. Unreadable elements are reported and left out.
    static func list<Element>(of element: Kind<Element>, leastCount: Int = 0) -> Self where Value == [Element] {
        Kind(.list(of: element.shape, leastCount: leastCount)) { node, key, reading in
            guard case .sequence(let nodes) = node.content, nodes.count >= leastCount else {
                return reading.fail(.wrongKind(node, under: key))
            }
            return nodes.compactMap { element.read($0, key, &reading) }
        }
    }

    /// One of the values of an enum; `documentation` describes each.
    static func choice(_ values: [Value], _ documentation: [String]) -> Self
    where Value: RawRepresentable, Value.RawValue == String {
        choice(zip(values, documentation).map { Choice($0.rawValue, $1) }) { Value(rawValue: $0) }
    }

    static func choice(_ choices: [Choice], value: @escaping @Sendable (String) -> Value?) -> Self {
        let allowed = choices.map(\.value)
        return Kind(.choice(choices)) { node, key, reading in
            guard let text = node.presentText else { return reading.fail(.wrongKind(node, under: key)) }
            guard allowed.contains(text), let value = value(text) else {
                return reading.fail(.notAllowed(text, at: node.range, under: key.name, allowed: allowed))
            }
            return value
        }
    }
}
