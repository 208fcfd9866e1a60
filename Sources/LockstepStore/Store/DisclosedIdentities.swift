import Foundation
import LockstepSystem

/// How records are named where no value of a record may be shown, such as in a log or a report.
///
/// A UUID is shown, and so is a number if no part of the entity's identity is text. Any other identity may be a name,
/// an address or a phone number: a stand-in is shown instead, the same for the same text until the process ends. Nobody
/// can find a text by trying: what makes the stand-ins is secret.
package struct DisclosedIdentities: Sendable {
    /// That of the store, if it has an identity already, and otherwise one of this process.
    package let salt: String
    /// For each part of an entity's identity, whether it is an integer or a UUID, locally and on the server.
    private let parts: [String: [Bool]]

    fileprivate init(_ store: Store) {
        // As the inspected file has it, so that its report and one of the app can be compared.
        let known = try? store.writer.read { database in
            try MetadataTable.exists(database)
                ? MetadataTable.value(SyncMetadata.storeIdentity, in: database) : nil
        }
        salt = known ?? UUID().uuidString
        let plans = store.plans
        let neutral = plans.map { plan in
            let serverKey = plan.serverKeyColumns
            return (
                plan.name,
                plan.keyColumns.enumerated().map { index, column in
                    plan.columns[column].type.isNeutral
                        && (!serverKey.indices.contains(index) || plan.columns[serverKey[index]].type.isNeutral)
                }
            )
        }
        parts = Dictionary(neutral, uniquingKeysWith: { first, _ in first })
    }

    /// The identity of a record, locally or on the server, for readers.
    package func text(_ identity: String, of entity: String?) -> String {
        if UUID(uuidString: identity) != nil { return identity }
        let values = identity.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "," }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        // A text may contain what separates the parts.
        guard let parts = entity.flatMap({ parts[$0] }), parts.count == values.count else { return standIn(identity) }
        return zip(values, parts).map { value, isNeutral in
            isNeutral && (Int64(value) != nil || UUID(uuidString: value) != nil) ? value : standIn(value)
        }.joined(separator: ", ")
    }

    private func standIn(_ text: String) -> String { Self.standIn(text, salt: salt) }

    /// A text that is the same for equal texts and salts, and does not contain them.
    package static func standIn(_ text: String, salt: String) -> String {
        var hasher = ContentHasher()
        hasher.update(Data("\(salt)\n\(text)".utf8))
        return "text-\(hasher.finished().hash.prefix(8))"
    }
}

extension StoredType {
    /// Whether a value of this type is neither a text nor a date.
    fileprivate var isNeutral: Bool {
        switch self {
        case .uuid: true
        case .custom(let custom): custom.stored.isNeutral
        default: isInteger
        }
    }
}

extension Store {
    /// How the records of this store are named in logs and reports.
    package var disclosedIdentities: DisclosedIdentities {
        if let known = storeExtension(DisclosedIdentities.self) { return known }
        // Not while the extensions are locked, because it reads the store.
        let made = DisclosedIdentities(self)
        return storeExtension { made }
    }
}
