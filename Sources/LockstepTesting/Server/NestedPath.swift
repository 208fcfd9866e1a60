import Foundation
import LockstepStore

/// A path that names one parent's children: `/articles/3/comments`.
struct NestedPath {
    private let parent: String
    private let identity: String
    private let children: String

    /// Returns `nil` if the path is not such a path.
    init?(_ path: String) {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 3 else { return nil }
        (parent, identity, children) = (Self.singular(parts[0]), parts[1], parts[2])
    }

    /// The members that can contain the id of the parent.
    var filters: [(name: String, value: String)] { [(parent + "_id", identity)] }

    /// The collection of the children: `/comments`, or `/article_comments`.
    func collection(in state: ServerState) -> String? {
        ["/" + children, "/\(parent)_\(children)"].first { state.collections[$0] != nil }
    }

    /// Sufficient for the names in tests: `articles`, `categories`.
    private static func singular(_ plural: String) -> String {
        if plural.hasSuffix("ies") { return plural.dropLast(3) + "y" }
        return plural.hasSuffix("s") ? String(plural.dropLast()) : plural
    }
}

extension JSONValue {
    /// Whether the members have the values of query parameters. A parameter that names no member is ignored, unless it
    /// is the id of another record.
    func passes(_ filters: [(name: String, value: String)]) -> Bool {
        filters.allSatisfy { name, value in self[name].map { $0.plainText == value } ?? !name.hasSuffix("_id") }
    }

    /// A scalar as in an address; `nil` for `null`, arrays and objects.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let flag): String(flag)
        case .decimal(let number): "\(number)"
        case .double(let number): "\(number)"
        case .null, .array, .object: nil
        }
    }

    /// The value as a Firebase-style server stores it; `nil` if nothing is left.
    var withoutEmptyValues: JSONValue? {
        switch self {
        case .null: return nil
        case .array(let elements):
            let kept = elements.map { $0.withoutEmptyValues ?? .null }
            guard let last = kept.lastIndex(where: { $0 != .null }) else { return nil }
            return .array(Array(kept[...last]))
        case .object(let members):
            let kept = members.compactMapValues(\.withoutEmptyValues)
            return kept.isEmpty ? nil : .object(kept)
        default: return self
        }
    }
}
