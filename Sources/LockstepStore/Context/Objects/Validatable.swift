/// A model with a rule of its own, beyond the schema's limits.
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
/// Every save asks each new and each changed record once, in the order in which they were made and then changed, before
/// it looks at the schema's limits and before any SQL. The rule may set values of its record, and may change, make or
/// delete others: a record that is new or changed because of it is asked too, if it was not yet. Where any of them
/// throws, nothing is saved, and what the rules did is taken back.
public protocol Validatable: ManagedObject {
    /// Throws where the record must not be saved as it is.
    ///
    /// - Throws: ``ValidationError``, or any error: the save throws it as a ``StoreError`` of code `validation`, with
    ///   its text as the reason.
    func validateForSave() throws
}

/// Why a record must not be saved, in the words of the app.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why, as the end of a sentence: `an entry needs a title`.
    public let reason: String
    /// The attribute or relationship that is wrong, by its name in the schema; `nil` if it is none in particular.
    public let attribute: String?

    /// Says why a record must not be saved.
    public init(_ reason: String, attribute: String? = nil) {
        self.reason = reason
        self.attribute = attribute
    }

    public var description: String { reason }
}

extension Validatable {
    /// The rule for objects of this very type.
    static var rule: (ManagedObject) throws -> Void {
        { object in try unsafeDowncast(object, to: Self.self).validateForSave() }
    }
}
