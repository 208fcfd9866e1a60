/// Whether a record can be in the lists of several owners.
enum SampleSharing: Equatable {
    /// A record is in several.
    case shared
    /// None of this many records is in two.
    case separate(Int)
    /// There are too few.
    case unknown

    /// With fewer records, that none is in two lists may be an accident.
    static let leastRecords = 20
    static let leastLists = 3
}

/// The evidence of the samples for two ends of a relationship.
final class SampleEvidence {
    /// By their names.
    private let entities: [String: SampleEntity]
    /// The records of entities, by their names and identities.
    private var records: [String: [String: SampleValue]] = [:]

    init(_ entities: SampleEntities) {
        self.entities = Dictionary(entities.list.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Whether an entity has records that are not inside of others.
    func isRoot(_ entity: String) -> Bool { entities[entity]?.isRoot ?? false }

    /// Whether the records in a list name the owner of the list with a reference: no value contradicts, and one agrees
    /// or the reference has the name of the owner's entity.
    func leadsBack(_ reference: SampleLink, from list: SampleLink) -> Bool {
        guard let path = list.path, let back = reference.path else { return false }
        var agrees = SampleNames.plain(reference.name) == SampleNames.plain(list.owner)
        guard let owner = entities[list.owner], let identity = owner.identity else { return agrees }
        for example in owner.shape.examples {
            guard let id = example[identity]?.identityText else { continue }
            for element in example.value(at: path)?.elements ?? [] {
                let record = list.wire == .ids ? record(element, of: list.destination) : element
                guard let other = record?.value(at: back)?.identityText else { continue }
                if other != id { return false }
                agrees = true
            }
        }
        return agrees
    }

    /// The record with an identity.
    private func record(_ id: SampleValue, of name: String) -> SampleValue? {
        if records[name] == nil { records[name] = entities[name]?.recordsByIdentity ?? [:] }
        return id.identityText.flatMap { records[name]?[$0] }
    }
}

extension SampleValue {
    fileprivate func value(at path: [String]) -> SampleValue? {
        path.reduce(Optional(self)) { value, key in value?[key] }
    }
}
