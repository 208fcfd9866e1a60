import Foundation
public import GRDB

extension FileAttachment: AttributeValue {
    /// The reference.
    public var storedValue: DatabaseValue { reference.databaseValue }

    public init?(storedValue: DatabaseValue) {
        guard case .string(let text) = storedValue.storage else { return nil }
        self.init(reference: text)
    }

    public init(wire source: WireSource) throws {
        guard let text = try? source.text(), let value = FileAttachment(reference: text) else {
            throw source.invalid(AttachmentReference.refusal)
        }
        self = value
    }

    public func write(to target: WireTarget) throws { try target.write(reference) }

    /// Lengths count the bytes.
    public func violation(of limits: Limits) -> LimitViolation? { limits.violation(length: byteCount) }

    public static func isIdentical(_ left: FileAttachment, _ right: FileAttachment) -> Bool { left == right }

    /// No bytes.
    public static var placeholder: FileAttachment { FileAttachment(empty) }

    private static let empty = AttachmentContent(ContentHasher().finished(), source: .memory(.init()))
}
