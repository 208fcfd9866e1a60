/// A type in an attribute or a relationship.
struct TypeText: Sendable {
    /// The name, without question mark and brackets.
    var name: Located<String>
    var isList: Bool
    var isOptional: Bool
}

extension ValueParser where Value == TypeText {
    /// `string?`, `[string]` as a YAML list, `"[string]?"` as a text.
    static func type(noun: String) -> Self {
        ValueParser(.type(noun: noun)) { node, key, reading in
            TypeText.read(node, key: key, into: &reading)
        }
    }
}

extension TypeText {
    static func read(_ node: Node, key: KeyDescription, into reading: inout GrammarReading) -> TypeText? {
        switch node.content {
        case .scalar:
            guard let text = node.presentText else { return reading.fail(.wrongKind(node, under: key)) }
            return TypeText(text, at: node) ?? reading.fail(.malformedType(text, at: node.range))
        case .sequence(let elements):
            guard let element = elements.first, elements.count == 1 else {
                return reading.fail(.listOfSeveralTypes(node))
            }
            guard let text = element.presentText else {
                return reading.fail(.malformedType("[\(element.kindDescription)]", at: element.range))
            }
            guard var type = TypeText(text, at: element), !type.isList else {
                return reading.fail(.malformedType("[\(text)]", at: element.range))
            }
            if type.isOptional { return reading.fail(.optionalElements(type.name.value, at: element.range)) }
            type.isList = true
            return type
        case .mapping:
            return reading.fail(.wrongKind(node, under: key))
        }
    }

    /// `nil` if brackets and question marks are in the wrong places.
    private init?(_ text: String, at node: Node) {
        guard text.utf8.contains(where: Self.isMark) || !node.isPlain else {
            // Most types are a plain name.
            name = Located(text, range: node.range)
            (isList, isOptional) = (false, false)
            return
        }
        let bytes = text.utf8
        var name = bytes[...]
        isOptional = name.last == UInt8(ascii: "?")
        if isOptional { name.removeLast() }
        isList = name.first == UInt8(ascii: "[")
        if isList {
            guard name.last == UInt8(ascii: "]") else { return nil }
            name = name.dropFirst().dropLast()
        }
        guard !name.isEmpty, !name.contains(where: Self.isMark) else { return nil }
        self.name = Located(String(Substring(name)), range: Self.range(of: name, in: bytes, at: node))
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "?")
    }

    /// The location of a part of a scalar's text. It takes the opening quote into account; an escape would shift the
    /// location, but no type contains one.
    private static func range(
        of part: Substring.UTF8View, in whole: String.UTF8View, at node: Node
    ) -> TextRange {
        var range = node.range
        guard range.start.line == range.end.line else { return range }
        let before = whole.distance(from: whole.startIndex, to: part.startIndex)
        range.start.column += before + (node.isPlain ? 0 : 1)
        range.end.column = range.start.column + Substring(part).unicodeScalars.count
        return range
    }
}

extension Node {
    fileprivate var isPlain: Bool {
        if case .scalar(_, isPlain: true) = content { true } else { false }
    }
}

extension Diagnostic {
    static func malformedType(_ text: String, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .malformedType, at: range, message: "'\(text.shortened)' is not a valid type",
            remedy:
                "Write, for example, 'string', 'string?', '[string]' or, for an optional list, '\"[string]?\"'."
        )
    }

    static func optionalElements(_ name: String, at range: TextRange) -> Diagnostic {
        let name = name.shortened
        return Diagnostic(
            .malformedType, at: range,
            message: "'[\(name)?]' is not a valid type: the elements of a list cannot be optional",
            remedy: "Write '[\(name)]' or, for an optional list, '\"[\(name)]?\"' with the quotes.")
    }

    static func listOfSeveralTypes(_ node: Node) -> Diagnostic {
        Diagnostic(
            .malformedType, at: node.range,
            message: "A list has one element type, but this has \(node.elementCountDescription)",
            remedy: "Write one type in the brackets: '[string]'.")
    }

    static func contradictoryOptional(at range: TextRange, type: Located<String>) -> Diagnostic {
        Diagnostic(
            .malformedType, at: range, message: "'optional: false' contradicts the '?' of the type",
            remedy: "Remove the key, or write '\(type.value)' without '?'.",
            notes: [Note("The type is here", at: type.range)])
    }

    static func optionalToMany(_ name: String, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .malformedType, at: range, message: "A to-many relationship cannot be optional; it can be empty",
            remedy: "Write '[\(name)]'.")
    }
}

extension Node {
    fileprivate var elementCountDescription: String {
        if case .sequence(let elements) = content, !elements.isEmpty { "\(elements.count)" } else { "none" }
    }
}
