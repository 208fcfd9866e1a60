/// The version of a response (RFC 9110, 8.8.3): `"7"`, or `W/"7"` if only the meaning is the same.
package struct EntityTag: Sendable, Hashable {
    package let isWeak: Bool
    /// The text between the quotation marks.
    package let value: String

    /// Parses a field's value; `nil` if it is not a tag. A value without quotation marks, as some servers send it, is
    /// used as it is.
    package init?(_ text: String) {
        var rest = text.drop { $0 == " " || $0 == "\t" }
        while rest.last == " " || rest.last == "\t" { rest = rest.dropLast() }
        isWeak = rest.hasPrefix("W/")
        if isWeak { rest = rest.dropFirst(2) }
        if rest.hasPrefix("\""), rest.hasSuffix("\""), rest.count >= 2 {
            rest = rest.dropFirst().dropLast()
        } else if rest.isEmpty || isWeak {
            return nil
        }
        guard !rest.contains("\"") else { return nil }
        value = String(rest)
    }

    /// Whether both are equal byte by byte and neither is weak, as `If-Match` requires.
    package func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && value == other.value }

    /// Whether both have the same meaning, as `If-None-Match` requires.
    package func matchesWeakly(_ other: EntityTag) -> Bool { value == other.value }
}
