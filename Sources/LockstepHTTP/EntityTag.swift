/// The version of an answer (RFC 9110, 8.8.3): `"7"`, or `W/"7"` where only the meaning is the same.
package struct EntityTag: Sendable, Hashable {
    package let isWeak: Bool
    /// What is between the quotation marks.
    package let value: String

    /// Reads a field's value; `nil` where it is none. Without quotation marks, as some servers write it, it is taken as
    /// it is.
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

    /// Whether both are the same, byte for byte: neither is weak. It is what `If-Match` asks.
    package func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && value == other.value }

    /// Whether both mean the same. It is what `If-None-Match` asks.
    package func matchesWeakly(_ other: EntityTag) -> Bool { value == other.value }
}
