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
        case .day: return Day(now, in: .gmt)
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

    // MARK: Unique values

    /// Whether there are enough values for one that no other record has.
    var hasUniqueSamples: Bool { uniqueValue(of: type) != nil }

    /// A value as JSON that no other record has; `nil` if the type or the limits do not have enough.
    func uniqueSample() throws -> JSONValue? { try uniqueValue(of: type).flatMap { try json(of: $0.storedValue) } }

    private func uniqueValue(of type: StoredType) -> (any AttributeValue)? {
        let text = UUID().uuidString.lowercased().replacing("-", with: "")
        switch type {
        case .uuid: return UUID()
        case .string: return isLong(Self.uniqueLength) ? self.text(text) : nil
        case .url: return URL(string: "https://example.com/\(text)")
        // JSON of other languages has no greater integers.
        case .int, .int64: return uniqueNumber(upTo: 1 << 53)
        case .int32: return uniqueNumber(upTo: Int64(Int32.max))
        case .custom(let custom): return uniqueValue(of: custom.stored)
        default: return nil
        }
    }

    /// The characters of a text, and the count of numbers, that make it improbable that a value is taken.
    private static let uniqueLength = 16
    private static let uniqueCount: Decimal = 1_000_000_000

    /// A number within the limits. Small ones are likely to be taken.
    private func uniqueNumber(upTo last: Int64) -> Int? {
        let lowest = max(1_000_000, limits.minimum ?? 0)
        let highest = min(Decimal(last), limits.maximum ?? Decimal(last))
        guard highest - lowest >= Self.uniqueCount else { return nil }
        return Int.random(
            in: NSDecimalNumber(decimal: lowest).intValue...NSDecimalNumber(decimal: highest).intValue)
    }

    // MARK: Limits

    /// Whether a text can have a length.
    func isLong(_ length: Int) -> Bool { (limits.maximumLength ?? .max) >= length }

    /// A text within the limits.
    private func text(_ text: String) -> String {
        let missing = max((limits.minimumLength ?? 0) - text.count, 0)
        return String((text + String(repeating: "-", count: missing)).prefix(limits.maximumLength ?? .max))
    }

    /// A number within the limits.
    private var number: Decimal? { min(max(1, limits.minimum ?? 1), limits.maximum ?? .greatestFiniteMagnitude) }
}
