import Foundation
package import LockstepJSON

extension JSONValue {
    /// The record without what the keys lead to, and without objects that are empty then.
    package func removing(at path: some Collection<String>) -> JSONValue {
        guard let key = path.first, case .object(var members) = self else { return self }
        let rest = path.dropFirst()
        let member = rest.isEmpty ? nil : members[key]?.removing(at: rest)
        members[key] = member == .object([:]) ? nil : member
        return .object(members)
    }

    /// Removes what the keys lead to.
    package mutating func remove(at path: [String]) {
        guard let first = path.first, case .object(var members) = self else { return }
        if path.count == 1 {
            members[first] = nil
        } else if var member = members[first] {
            member.remove(at: Array(path.dropFirst()))
            members[first] = member
        }
        self = .object(members)
    }

    /// Whether it has each value of another one, however dates and numbers are written.
    package func says(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (_, .null): true
        case (_, .array(let others)) where others.isEmpty: true
        case (.object(let members), .object(let others)):
            others.allSatisfy { key, value in (members[key] ?? .null).says(value) }
        case (.array(let values), .array(let others)):
            values.count == others.count && zip(values, others).allSatisfy { $0.says($1) }
        case (.string(let text), .string(let other)) where text != other:
            ISO8601.date(from: text).map { $0 == ISO8601.date(from: other) } ?? false
        case (.string(let text), .integer), (.string(let text), .decimal), (.string(let text), .double):
            (try? JSONValue(json: Data(text.utf8))) == other
        case (.integer, .string(let text)), (.decimal, .string(let text)), (.double, .string(let text)):
            (try? JSONValue(json: Data(text.utf8))) == self
        default: self == other
        }
    }
}
