import Foundation
import LockstepEvolution
import LockstepTables

extension ColumnDescription {
    /// A valid value as JSON, according to the type and the limits; `nil` if none can be created.
    ///
    /// - Parameters:
    ///   - text: The prefix of texts.
    ///   - enumeration: The first case of the column's enum.
    func sample(_ text: String, now: Date, enumeration: CaseValue?) throws -> JSONValue? {
        guard let value = sampleValue(of: type, text: text, now: now, enumeration: enumeration) else { return nil }
        return try json(of: value.storedValue)
    }

    private func sampleValue(
        of type: StoredType, text: String, now: Date, enumeration: CaseValue?
    ) -> (any AttributeValue)? {
        switch type {
        case .string: return self.text(text)
        case .enumeration(let raw, closed: let closed):
            switch closed?.first ?? enumeration {
            case .string(let text)?: return text
            case .int(let number)?: return Int(number)
            case nil: return raw == .int ? 1 : text
            }
        case .bool: return false
        case .int, .int16, .int32, .int64: return number.map { NSDecimalNumber(decimal: $0).intValue }
        case .float, .double: return number.map { NSDecimalNumber(decimal: $0).doubleValue }
        case .decimal: return number
        case .date: return Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded())
        case .uuid: return UUID()
        case .url: return URL(string: "https://example.com/\(text)")
        case .data: return Data(repeating: 7, count: limits.minimumLength ?? 0)
        case .json: return JSONValue.object([:])
        case .custom(let custom):
            return sampleValue(of: custom.stored, text: text, now: now, enumeration: enumeration)
        case .list: return (limits.minimumLength ?? 0) == 0 ? [String]() : nil
        case .attachment: return nil
        }
    }

    /// A text within the limits.
    private func text(_ text: String) -> String {
        let missing = max((limits.minimumLength ?? 0) - text.count, 0)
        return String((text + String(repeating: "-", count: missing)).prefix(limits.maximumLength ?? .max))
    }

    /// A number within the limits.
    private var number: Decimal? { min(max(1, limits.minimum ?? 1), limits.maximum ?? .greatestFiniteMagnitude) }
}
