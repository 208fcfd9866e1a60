import Foundation
import HTTPTypes
import LockstepTables

extension FirebaseRemote {
    @_spi(Requirements) public func send(_ change: OutgoingChange) async throws -> SendResponse {
        switch change.kind {
        case .create: try await create(change)
        case .update: try await update(change)
        case .delete: try await delete(change)
        }
    }

    // MARK: New records

    private func create(_ change: OutgoingChange) async throws -> SendResponse {
        let identity = change.identity ?? RemoteIdentity([.string(change.idempotencyKey)])
        let record = try JSONValue(json: change.body).completed(with: identity, of: change.entity)
        let exchange = try await put(record, condition: "null_etag", change: change, identity: identity)
        if let outcome = try await exchange.firebaseOutcome(of: .create) { return outcome }
        let stored = try await exchange.firebaseResponse(to: change, written: record)
        let version = exchange.fields[.eTag]
        // The existing record may have been created by an earlier attempt whose response was lost (rule P10).
        let isMade = exchange.meaning == .success || stored?.storedByFirebase == record.storedByFirebase
        let body = try stored?.completed(with: identity, of: change.entity).json()
        return isMade
            ? .accepted(body: body, version: version, identity: identity) : .outdated(current: body, version: version)
    }

    private func put(
        _ record: JSONValue, condition: String, change: OutgoingChange, identity: RemoteIdentity
    ) async throws -> RemoteExchange {
        let key = try FirebaseKey.text(of: identity, in: change.entity)
        let fields: HTTPFields = [
            .accept: "application/json", .contentType: "application/json", .firebaseETag: "true", .ifMatch: condition,
        ]
        return try await exchange(
            .put, address: address(of: key, in: change.entity), fields: fields, body: record.json(), of: change.entity,
            identity: identity)
    }

    // MARK: Existing records

    /// How often a write without a version is retried if others write the same record in the meantime.
    private static let attemptLimit = 4

    private func update(_ change: OutgoingChange) async throws -> SendResponse {
        let identity = change.identity ?? RemoteIdentity([])
        if updates == .unconditional { return try await patch(change, identity: identity) }
        let current = try await current(identity, of: change.entity)
        if let outcome = try await current.exchange.firebaseOutcome(of: .update) { return outcome }
        guard let record = current.record else { return .absent }
        // A server without tags does not support conditions either.
        guard let version = current.version else { return try await patch(change, identity: identity) }
        if let expected = change.version, expected != version {
            return .outdated(current: try record.json(), version: version)
        }
        return try await write(change, identity: identity, over: record, version: version)
    }

    private func write(
        _ change: OutgoingChange, identity: RemoteIdentity, over record: JSONValue, version: String
    ) async throws -> SendResponse {
        let current = CurrentRecord(body: try record.json(), version: version)
        return try await change.writeWhole(attempts: Self.attemptLimit) {
            current
        } write: { record, version in
            let written = try JSONValue(json: record)
            let exchange = try await put(written, condition: version ?? "", change: change, identity: identity)
            if let outcome = try await exchange.firebaseOutcome(of: .update) { return outcome }
            let stored = try await exchange.firebaseResponse(to: change, written: written)?.completed(
                with: identity, of: change.entity)
            let tag = exchange.fields[.eTag]
            if exchange.meaning == .success { return .accepted(body: try stored?.json(), version: tag) }
            guard let stored else { return .absent }
            return .outdated(current: try stored.json(), version: tag)
        }
    }

    private func patch(_ change: OutgoingChange, identity: RemoteIdentity) async throws -> SendResponse {
        let key = try FirebaseKey.text(of: identity, in: change.entity)
        let changes = try JSONValue(json: change.changes).firebasePatch(inner: change.entity.innerPaths)
        let exchange = try await exchange(
            .patch, address: address(of: key, in: change.entity),
            fields: [.accept: "application/json", .contentType: "application/json"], body: changes.json(),
            of: change.entity,
            identity: identity)
        if let outcome = try await exchange.firebaseOutcome(of: .update) { return outcome }
        // The response contains what was sent, and not the whole record.
        _ = try await exchange.confirmation(of: change, sent: changes)
        return .accepted(body: nil)
    }

    private func delete(_ change: OutgoingChange) async throws -> SendResponse {
        let identity = change.identity ?? RemoteIdentity([])
        let key = try FirebaseKey.text(of: identity, in: change.entity)
        var fields: HTTPFields = [.accept: "application/json"]
        if traits.hasVersions, let version = change.version {
            fields[.ifMatch] = version
            fields[.firebaseETag] = "true"
        }
        let exchange = try await exchange(
            .delete, address: address(of: key, in: change.entity), fields: fields, of: change.entity, identity: identity
        )
        if let outcome = try await exchange.firebaseOutcome(of: .delete) { return outcome }
        let stored = try await exchange.firebaseResponse(to: change, written: .null)
        if exchange.meaning == .success { return .accepted(body: nil) }
        guard let stored else { return .absent }
        let current = try stored.completed(with: identity, of: change.entity).json()
        return .outdated(current: current, version: exchange.fields[.eTag])
    }
}

extension RemoteExchange {
    /// The same as `outcome(of:)`. Here, a write that the database's security rules forbid is a 401 too, and another
    /// token does not help: it is rejected like one with a status of 403.
    fileprivate func firebaseOutcome(of kind: OutgoingChange.Kind) async throws -> SendResponse? {
        guard meaning == .unauthorized else { return try await outcome(of: kind) }
        let body = try await response.body.beginning(upTo: Self.refusalLimitBytes)
        guard case .object(let members)? = try? JSONValue(json: body), members["error"] == .string("Permission denied")
        else { throw unauthorized }
        return .refused(status: status, body: body)
    }

    /// Returns the value that a write has left at the address, or that existed already (412); `nil` for none.
    ///
    /// - Throws: `SyncError.unexpectedResponse` if the response proves nothing (Rules.md, P13).
    fileprivate func firebaseResponse(to change: OutgoingChange, written: JSONValue) async throws -> JSONValue? {
        guard meaning == .success else { return try await firebaseValue() }
        return try await confirmation(of: change, sent: written).map { try JSONValue(json: $0) }
    }
}

extension JSONValue {
    /// Changed members in the database's format: a member of an inner object by its path, `image/url`, because an
    /// object would replace the existing one.
    fileprivate func firebasePatch(inner: Set<[String]>) -> JSONValue {
        var members: JSONObject = [:]
        func add(_ value: JSONValue, at position: [String]) {
            if case .object(let inside) = value, position.isEmpty || inner.contains(position) {
                for (key, value) in inside { add(value, at: position + [key]) }
            } else {
                members[position.joined(separator: "/")] = value
            }
        }
        add(self, at: [])
        return .object(members)
    }
}
