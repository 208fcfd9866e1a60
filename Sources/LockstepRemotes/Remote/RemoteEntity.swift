import Foundation
package import LockstepEvolution
import LockstepTables

/// An entity for a remote: its address, and its encoding.
public struct RemoteEntity: Sendable {
    package let plan: EntityPlan

    package init(_ plan: EntityPlan) { self.plan = plan }

    /// The entity's name in the schema.
    public var name: String { plan.name }
    /// The path of the collection: `/product_reviews`.
    public var path: String { plan.remote?.path ?? "" }
    /// The writes that the server accepts.
    package var writes: Set<RemoteStructure.Write> { plan.remote?.writes ?? [] }
    /// The key that a body is wrapped in; `nil` for an unwrapped body.
    public var wrapKey: String? { plan.remote?.wrapKey }

    // MARK: Identities

    /// The identity of a record as one text, for addresses and keys: `7`, or `DE_7` for several values. No two records
    /// of the entity have the same text.
    ///
    /// If several of the values can contain an underscore, and one of them does, `_` is written as `~_` and `~` as
    /// `~~`: `("x_y", "z")` is `x~_y_z`, and `("x", "y_z")` is `x_y~_z`.
    public func text(of identity: RemoteIdentity) -> String {
        let texts = identity.texts
        guard joinsTexts, texts.contains(where: { $0.contains("_") }) else { return identity.text }
        return texts.map { $0.replacing("~", with: "~~").replacing("_", with: "~_") }.joined(separator: "_")
    }

    /// The identity with this text, as ``text(of:)`` returns it; `nil` if there is none.
    func identity(of text: String) -> RemoteIdentity? {
        let count = plan.serverKeyColumns.count
        guard count > 1 else { return RemoteIdentity([.string(text)]) }
        let plain = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        // Without an underscore in a value, nothing is escaped.
        let texts = joinsTexts && plain.count > count ? Self.unescaped(text) : plain
        return texts.count == count ? RemoteIdentity(texts.map { .string($0) }) : nil
    }

    /// Whether two identities are those of one record, by the values that the store has of them (rule M5).
    package func isSame(_ one: RemoteIdentity, _ other: RemoteIdentity) -> Bool {
        let (one, other) = (parts(of: one), parts(of: other))
        let columns = plan.serverKeyColumns
        guard one.count == columns.count, other.count == columns.count else {
            return ExactText(RemoteIdentity(one).text) == ExactText(RemoteIdentity(other).text)
        }
        return zip(columns, zip(one, other)).allSatisfy { isSame($1.0, $1.1, column: $0) }
    }

    /// Whether two values are the same part of an identity.
    ///
    /// - Parameter column: The index of its column.
    func isSame(_ one: JSONValue, _ other: JSONValue, column: Int) -> Bool {
        let column = plan.columns[column]
        guard let left = try? one.stored(in: column), let right = try? other.stored(in: column) else {
            return ExactText(RemoteIdentity([one]).text) == ExactText(RemoteIdentity([other]).text)
        }
        return left.isIdentical(to: right)
    }

    /// The values of an identity, which an address has in one text.
    private func parts(of identity: RemoteIdentity) -> [JSONValue] {
        guard identity.values.count == 1, plan.serverKeyColumns.count > 1 else { return identity.values }
        return self.identity(of: identity.text)?.values ?? identity.values
    }

    private static func unescaped(_ text: String) -> [String] {
        var texts = [""]
        var isEscaped = false
        for character in text.unicodeScalars {
            switch (character, isEscaped) {
            case ("~", false): isEscaped = true
            case ("_", false): texts.append("")
            default:
                texts[texts.count - 1].unicodeScalars.append(character)
                isEscaped = false
            }
        }
        return texts
    }

    /// Whether more than one value of the identity can contain an underscore, which also separates the values.
    private var joinsTexts: Bool {
        plan.serverKeyColumns.count { plan.columns[$0].type.canContainAnyCharacter } > 1
    }
}

extension StoredType {
    /// Whether the text of a value can contain any character, such as an underscore.
    fileprivate var canContainAnyCharacter: Bool {
        switch self {
        case .string, .url, .enumeration(.string, closed: _): true
        case .custom(let custom): custom.stored.canContainAnyCharacter
        default: false
        }
    }
}

extension RemoteIdentity {
    /// The values as texts, for comparisons: UUIDs are equal in any case (rule M5).
    var foldedTexts: [ExactText] { texts.map { ExactText(UUID(uuidString: $0)?.uuidString ?? $0) } }
}
