/// A text that is compared by its UTF-8, as SQLite and servers compare texts, for sets and dictionaries of keys and
/// identities.
///
/// For Swift, texts are equal if they are canonically equivalent, such as “é” as one scalar and as two.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Hashes the bytes, too: texts that are equal for Swift would all have the same hash, and a server can send many.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Swift's order, in which stored JSON has its keys; texts that are equal for Swift are ordered by their bytes.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        if left.text != right.text { return left.text < right.text }
        return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
