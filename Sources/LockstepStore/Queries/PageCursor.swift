import Foundation
import GRDB

/// A position in the records of one entity in one order: after a given record, even if that was deleted.
///
/// It contains the values by which the record is sorted, and its key. It can be encoded and stored: if the record was
/// changed or deleted since, the next page still continues from there.
public struct PageCursor: Codable, Hashable, Sendable {
    /// The text of the entity and the order, which are the only ones that the cursor can be used for.
    let order: String
    let values: [CursorValue]
}

/// A value of a column. It is encoded so that every bit of a number is preserved.
enum CursorValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .blob(let bytes): self = .bytes(bytes)
        }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): bytes.databaseValue
        }
    }
}

extension CursorValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case integer = "i"
        /// The bits of a double.
        case real = "r"
        case text = "t"
        case bytes = "b"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let number = try container.decodeIfPresent(Int64.self, forKey: .integer) {
            self = .integer(number)
        } else if let bits = try container.decodeIfPresent(UInt64.self, forKey: .real) {
            self = .real(Double(bitPattern: bits))
        } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else if let bytes = try container.decodeIfPresent(Data.self, forKey: .bytes) {
            self = .bytes(bytes)
        } else {
            self = .null
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .null: break
        case .integer(let number): try container.encode(number, forKey: .integer)
        case .real(let number): try container.encode(number.bitPattern, forKey: .real)
        case .text(let text): try container.encode(text, forKey: .text)
        case .bytes(let bytes): try container.encode(bytes, forKey: .bytes)
        }
    }
}
