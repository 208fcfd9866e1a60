import Foundation
import GRDB
import LockstepJSON
import LockstepStore

/// Formats identities and values as text, without their contents unless these were requested.
struct InspectedValue {
    let includesValues: Bool
    /// Makes the stand-ins of equal texts different in different stores.
    let salt: String

    /// An identity as text. UUIDs and integers are shown; any other identity is replaced by a stand-in, unless values
    /// were requested.
    func identity(_ key: RecordKey?, of plan: EntityPlan?) -> String {
        guard let key else { return "unreadable" }
        let types = plan?.keyColumns.map { plan?.columns[$0].type }
        return key.values.enumerated().map { index, value in
            let type = types.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            return identity(value, as: type)
        }.joined(separator: ", ")
    }

    private func identity(_ value: DatabaseValue, as type: StoredType?) -> String {
        let text = RecordKey(value).text
        if includesValues { return type.flatMap { Self.text(of: value, type: $0) } ?? text }
        switch value.storage {
        case .null: return text
        case .int64 where type.map(\.isInteger) ?? true: return text
        case .string(let text) where UUID(uuidString: text) != nil: return text
        default: return standIn(text)
        }
    }

    /// A stored value as readable text; `nil` if there is none.
    private static func text(of value: DatabaseValue, type: StoredType) -> String? {
        switch type.readable(value) {
        case .null: nil
        case .string(let text): text
        case let other: (try? other.json()).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// A text that is the same for equal texts within a store, and does not contain them.
    func standIn(_ text: String) -> String { DisclosedIdentities.standIn(text, salt: salt) }
}
