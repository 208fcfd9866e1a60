import Foundation
import LockstepEvolution
import LockstepRemotes

/// A record that a case has created, as it was sent.
struct SampleRecord: Sendable {
    let entity: RemoteEntity
    /// `nil` as long as the server has not assigned it.
    var identity: RemoteIdentity?
    var body: JSONValue
    /// The text by which it is recognized.
    let mark: String
    /// The members that contain the mark.
    let marked: [[String]]
    /// The version of the last response, if it had one.
    var version: String?

    /// As shown in the report: `Task e2a4c1d8-…`.
    var name: String {
        if let identity { return "\(entity.name) \(identity.text)" }
        return marked.isEmpty ? "\(entity.name) of an unknown identity" : "\(entity.name) with the text “\(mark)”"
    }

    /// Whether the JSON of a record has the mark.
    func isMarked(_ json: JSONValue) -> Bool {
        !marked.isEmpty && marked.allSatisfy { json.value(at: $0) == body.value(at: $0) }
    }

    /// The same for every spelling of its identity.
    var key: String? { identity.map { $0.values.map(\.keyText.text).joined(separator: "_") } }

    /// The change that creates it.
    func creation(key: String = UUID().uuidString) throws -> OutgoingChange {
        let json = try body.json()
        return OutgoingChange(
            kind: .create, entity: entity, identity: identity, body: json, changes: json, idempotencyKey: key)
    }

    /// The change that writes some of its members.
    ///
    /// - Parameters:
    ///   - members: The values by the columns of the entity.
    ///   - version: The version that the change is made to; `nil` for any.
    func update(_ members: [(column: Int, value: JSONValue)], to version: String? = nil) throws -> OutgoingChange {
        var (whole, changes) = (body, JSONValue.object([:]))
        for member in members {
            guard let path = entity.plan.columns[member.column].wire?.path else { continue }
            whole.set(member.value, at: path)
            changes.set(member.value, at: path)
        }
        return OutgoingChange(
            kind: .update, entity: entity, identity: identity, body: try whole.json(), changes: try changes.json(),
            idempotencyKey: UUID().uuidString, version: version)
    }

    /// The change that deletes it.
    func deletion() -> OutgoingChange {
        OutgoingChange(
            kind: .delete, entity: entity, identity: identity, body: Data(), changes: Data(),
            idempotencyKey: UUID().uuidString)
    }

    /// Stores the identity and the version that the server has assigned.
    mutating func confirm(_ response: SendResponse) {
        guard case .accepted(let received, let version, let identity) = response else { return }
        self.version = version
        if self.identity != nil { return }
        let record = received.flatMap { try? JSONValue(json: $0) }
        self.identity = identity ?? record.flatMap { entity.identity(in: $0) }
    }
}

extension RemoteEntity {
    /// The identity in a record's JSON; `nil` if a part is missing.
    func identity(in record: JSONValue) -> RemoteIdentity? {
        let values = plan.serverKeyPaths.compactMap { record.value(at: $0) }.filter { $0 != .null }
        return values.isEmpty || values.count != plan.serverKeyPaths.count ? nil : RemoteIdentity(values)
    }
}
