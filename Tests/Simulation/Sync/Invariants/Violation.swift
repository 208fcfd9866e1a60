/// Something that must always hold and did not: its number in Rules.md, and what was found.
package struct Violation: Error, CustomStringConvertible, Sendable {
    package let rule: Int
    package let what: String

    package var description: String { "rule \(rule) of what must always hold: \(what)" }
}
