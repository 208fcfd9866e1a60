package import GRDB
package import LockstepJSON

/// Receives the values of a representation in the store's encoding, without JSON in between.
///
/// Values whose keys were absent from the representation's JSON are left out, and so are lists that are `nil`.
package protocol WireCollector: AnyObject {
    /// The targets of values of the entity whose record is being collected.
    var fields: WireFields { get }

    /// An attribute, or a part of the wire identity that a to-one points at; `nil` for null.
    func value(_ value: DatabaseValue?, at field: WireFields.Field)

    /// The wire identities of all members of a to-many.
    func identities(_ values: [DatabaseValue], at field: WireFields.Field)

    /// The record of a to-one; `nil` for null.
    func embedded<Embedded: WireObject>(_ value: Embedded?, at field: WireFields.Field)

    /// The records of all members of a to-many.
    func embedded<Embedded: WireObject>(list: [Embedded], at field: WireFields.Field)

    /// The other form of a relationship, which came beside, or instead of, its value, as JSON: the object of a to-one,
    /// or a list.
    ///
    /// - Parameter path: The keys that lead to it.
    func otherForm(_ json: JSONValue, at path: [String])

    /// A key that is not read although it looks like that of a relationship.
    func unread(key: String, isComposite: Bool)

    /// A value that cannot be stored, and the reason.
    func violation(_ violation: LimitViolation, at field: WireFields.Field)
}

extension WireCollector {
    /// Checks a value against its limits, and collects it if it is valid.
    func collect<Value: AttributeValue>(_ value: Value?, at field: WireFields.Field) {
        guard let value else { return self.value(nil, at: field) }
        if let reason = value.violation(of: field.limits) { return violation(reason, at: field) }
        self.value(value.storedValue, at: field)
    }

    /// Checks each identity of a list against its limits, and collects the list if all are valid.
    func collect<Value: AttributeValue>(identities values: [Value], at field: WireFields.Field) {
        for (index, value) in values.enumerated() {
            if let reason = value.violation(of: field.limits) { return violation(reason, at: field.element(index)) }
        }
        identities(values.map(\.storedValue), at: field)
    }
}

extension WireObject {
    /// Passes every value that is present to a collector of this entity.
    package func collect(into collector: any WireCollector) {
        collector.fields.collecting {
            var wire = WireWriter<CodingKeys>(collector, omitting: omittedKeys)
            // A collector writes nothing, so nothing can fail to be encoded as JSON.
            try? write(to: &wire)
            for (key, isComposite) in omittedKeys.unreadKeys.sorted(by: { $0.key < $1.key }) {
                collector.unread(key: key, isComposite: isComposite)
            }
        }
    }
}
