import Foundation
public import GRDB

extension FileAttachment: AttributeValue {
    /// The reference.
    @_spi(Requirements) public var storedValue: DatabaseValue { reference.databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .string(let text) = storedValue.storage else { return nil }
        self.init(reference: text)
    }

    @_spi(Requirements) public init(wire source: WireSource) throws {
        guard let text = try? source.text(), let value = FileAttachment(reference: text) else {
            throw source.invalid(AttachmentReference.refusal)
        }
        self = value
    }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(reference) }

    /// Lengths count the bytes.
    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(length: byteCount)
    }

    @_spi(Requirements) public static func isIdentical(_ left: FileAttachment, _ right: FileAttachment) -> Bool {
        left == right
    }

    /// No bytes.
    @_spi(Requirements) public static var placeholder: FileAttachment { FileAttachment(empty) }

    private static let empty = AttachmentContent(ContentHasher().finished(), source: .memory(.init()))
}
