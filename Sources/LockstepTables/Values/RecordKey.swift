package import Foundation
package import GRDB
import LockstepJSON

/// The values of a key of any entity.
///
/// Most keys are one UUID or one integer. These are stored as such: they are cheap to compare and hash, and need no
/// memory allocation.
package struct RecordKey: Hashable, Sendable {
    @usableFromInline enum Form {
        /// The bytes of a UUID, which are much cheaper to hash and compare than a `UUID`.
        case uuid(UInt64, UInt64)
        case integer(Int64)
        case values([DatabaseValue])
    }

    @usableFromInline let form: Form

    package init(_ values: [DatabaseValue]) {
        form = values.count == 1 ? Self.form(of: values[0]) : .values(values)
    }

    package init(_ value: DatabaseValue) { form = Self.form(of: value) }

    package init(_ uuid: UUID) { form = Self.form(of: uuid) }

    @inlinable package init(_ integer: Int64) { form = .integer(integer) }

    /// The key that is one UUID, given by its bytes as two words.
    @inlinable package init(uuidWords words: (first: UInt64, second: UInt64)) {
        form = .uuid(words.first, words.second)
    }

    private static func form(of uuid: UUID) -> Form {
        withUnsafeBytes(of: uuid) { bytes in
            .uuid(
                bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The text of a stored UUID is converted to the UUID, so that a key is the same wherever it was read.
    private static func form(of value: DatabaseValue) -> Form {
        switch value.storage {
        case .int64(let number): return .integer(number)
        case .string(var text):
            guard text.utf8.count == 36, let uuid = text.withUTF8({ UUID(lowercaseText: $0) }) else { break }
            return form(of: uuid)
        default: break
        }
        return .values([value])
    }

    /// The values of the key's columns, in the order of the key.
    package var values: [DatabaseValue] {
        switch form {
        case .uuid: uuid.map { [$0.storedValue] } ?? []
        case .integer(let number): [number.databaseValue]
        case .values(let values): values
        }
    }

    /// The key as a UUID if it is one.
    package var uuid: UUID? {
        guard case .uuid(let first, let second) = form else { return nil }
        return withUnsafeBytes(of: (first, second)) { $0.loadUnaligned(as: UUID.self) }
    }

    /// The bytes of the key as two words if it is one UUID.
    @inlinable package var uuidWords: (first: UInt64, second: UInt64)? {
        guard case .uuid(let first, let second) = form else { return nil }
        return (first, second)
    }

    /// The key as an integer if it is one.
    @inlinable package var integer: Int64? { if case .integer(let number) = form { number } else { nil } }

    /// The key as readable text.
    package var text: String {
        values.map { value in
            switch value.storage {
            case .null: "none"
            case .int64(let number): String(number)
            case .double(let number): String(number)
            case .string(let text): text
            case .blob(let bytes): bytes.base64EncodedString()
            }
        }.joined(separator: ", ")
    }
}

extension IdentityValue {
    package var recordKey: RecordKey {
        if Self.self == UUID.self { return withUnsafeBytes(of: self) { RecordKey($0.loadUnaligned(as: UUID.self)) } }
        return RecordKey(keyValues)
    }
    package var recordText: String { recordKey.text }
}

extension RecordKey {
    /// Compares as SQLite does.
    @inlinable package static func == (left: RecordKey, right: RecordKey) -> Bool {
        // Most keys are one number or one UUID, and are compared by the million.
        if let left = left.integer, let right = right.integer { return left == right }
        if let left = left.uuidWords, let right = right.uuidWords { return left == right }
        return left.values.isIdentical(to: right.values)
    }

    /// Hashes the bytes of texts, too: those that are equal for Swift would all have one hash, and a server can send
    /// many (rule N9).
    package func hash(into hasher: inout Hasher) {
        switch form {
        case .uuid(let first, let second):
            hasher.combine(first)
            hasher.combine(second)
        case .integer(let number): hasher.combine(number)
        case .values(let values):
            for value in values {
                if case .string(let text) = value.storage {
                    ExactText(text).hash(into: &hasher)
                } else {
                    value.hash(into: &hasher)
                }
            }
        }
    }
}

extension DatabaseValue {
    /// Whether two values are identical to SQLite: `==` compares texts as Swift does.
    package func isIdentical(to other: DatabaseValue) -> Bool {
        if case (.string(let text), .string(let other)) = (storage, other.storage) {
            return String.isIdentical(text, other)
        }
        return self == other
    }
}

extension [DatabaseValue] {
    /// Whether all values of two rows are identical to SQLite.
    package func isIdentical(to other: [DatabaseValue]) -> Bool {
        elementsEqual(other) { $0.isIdentical(to: $1) }
    }
}
