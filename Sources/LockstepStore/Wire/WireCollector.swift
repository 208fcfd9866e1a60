package import GRDB

/// Takes the values of a representation as the store keeps them, without JSON between.
///
/// Values whose keys the representation's JSON did not have are left out, and so are lists that are `nil`.
package protocol WireCollector: AnyObject {
    /// The places of the entity whose record is being collected.
    var places: WirePlaces { get }

    /// An attribute, or a part of the wire identity that a to-one points at; `nil` for null.
    func value(_ value: DatabaseValue?, at place: WirePlaces.Place)

    /// The wire identities of a to-many, exactly.
    func identities(_ values: [DatabaseValue], at place: WirePlaces.Place)

    /// The record of a to-one; `nil` for null.
    func embedded<Embedded: WireObject>(_ value: Embedded?, at place: WirePlaces.Place)

    /// The records of a to-many, exactly.
    func embedded<Embedded: WireObject>(list: [Embedded], at place: WirePlaces.Place)

    /// A value that cannot be stored, and why.
    func violation(_ violation: LimitViolation, at place: WirePlaces.Place)
}

extension WireCollector {
    /// Holds a value against its limits, and takes it if it keeps to them.
    func collect<Value: AttributeValue>(_ value: Value?, at place: WirePlaces.Place) {
        guard let value else { return self.value(nil, at: place) }
        if let reason = value.violation(of: place.limits) { return violation(reason, at: place) }
        self.value(value.storedValue, at: place)
    }
}

extension WireObject {
    /// Gives every value that counts to a collector of this entity.
    package func collect(into collector: any WireCollector) {
        collector.places.collecting {
            var wire = WireWriter<CodingKeys>(collector, omitting: omittedKeys)
            // A collector writes nothing, so there is nothing that JSON could fail to hold.
            try? write(to: &wire)
        }
    }
}
