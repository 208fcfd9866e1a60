/// A model with its own validation rule, in addition to the schema's limits.
///
/// ```swift
/// extension Entry: Validatable {
///     public func validateForSave() throws {
///         title = title.trimmingCharacters(in: .whitespaces)
///         if title.isEmpty { throw ValidationError("an entry needs a title", attribute: "title") }
///     }
/// }
/// ```
///
/// Every save calls it once for each new and each changed record, in the order in which they were created and then
/// changed, before it checks the schema's limits and before any SQL. The rule may set values of its record, and may
/// change, create or delete others: a record that is new or changed because of it is validated too, if it was not yet.
/// If any of them throws, nothing is saved, and what the rules did is undone.
public protocol Validatable: ManagedObject {
    /// Throws if the record must not be saved as it is.
    ///
    /// - Throws: ``ValidationError``, or any error. The save throws it as a ``StoreError`` with the code `validation`
    ///   and its text as the reason.
    func validateForSave() throws
}

/// Describes why a record must not be saved, in the words of the app.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, as the end of a sentence: `an entry needs a title`.
    public let reason: String
    /// The name of the invalid attribute or relationship in the schema; `nil` if it is not a particular one.
    public let attribute: String?

    /// Creates an error with the reason why a record must not be saved.
    public init(_ reason: String, attribute: String? = nil) {
        self.reason = reason
        self.attribute = attribute
    }

    @_spi(Requirements) public var description: String { reason }
}

extension Validatable {
    /// The rule for objects of this exact type.
    static var rule: (ManagedObject) throws -> Void {
        { object in try unsafeDowncast(object, to: Self.self).validateForSave() }
    }
}
