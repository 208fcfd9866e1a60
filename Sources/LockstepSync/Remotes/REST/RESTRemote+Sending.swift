import Foundation
import HTTPTypes
import LockstepStore

extension HTTPField.Name {
    /// The IETF's draft `draft-ietf-httpapi-idempotency-key-header`.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

extension RESTRemote {
    public func send(_ change: OutgoingChange) async throws -> SendResponse {
        let exchange = try await request(change)
        if let outcome = try await exchange.outcome(of: change.kind) { return outcome }
        let wrapKey = change.entity.wrapKey
        let record = try await exchange.record { BodyWrapping.unwrapped($0, wrapKey) }
        let version = traits.hasVersions ? exchange.fields[.eTag] : nil
        if exchange.meaning == .outdated { return .outdated(current: record, version: version) }
        let identity = change.kind == .create ? exchange.newIdentity : nil
        return .accepted(body: change.kind == .delete ? nil : record, version: version, identity: identity)
    }

    private func request(_ change: OutgoingChange) async throws -> RemoteExchange {
        let conventions = conventions(of: change.entity)
        var fields = conventions.headers
        fields[.accept] = "application/json"
        if change.kind != .delete { fields[.contentType] = "application/json" }
        let body: Data?
        let method: HTTPRequest.Method
        let address: RemoteAddress
        switch change.kind {
        case .create:
            (method, body) = (.post, BodyWrapping.wrapped(change.body, change.entity.wrapKey))
            address = try collectionAddress(of: change.entity, method)
            fields[.idempotencyKey] = change.idempotencyKey
        case .update:
            let isWhole = conventions.updates == .wholeRecord
            method = isWhole ? .put : .patch
            body = BodyWrapping.wrapped(isWhole ? change.body : change.changes, change.entity.wrapKey)
            address = try recordAddress(of: change.identity, in: change.entity, method)
        case .delete:
            (method, body) = (.delete, nil)
            address = try recordAddress(of: change.identity, in: change.entity, method)
        }
        if traits.hasVersions, change.kind != .create, let version = change.version { fields[.ifMatch] = version }
        return try await RemoteExchange.send(
            method, address, fields, body: body, (change.entity, change.identity), client, clock)
    }
}

extension RemoteExchange {
    /// The identity in the `Location` of a record that was made: the last part of its path, where the part before is the
    /// collection's name, as it is in `/articles/7` of `/articles`.
    fileprivate var newIdentity: RemoteIdentity? {
        guard let location = fields[.location].flatMap(resolving) else { return nil }
        let parts = location.path.split(separator: "/").suffix(2)
        guard parts.count == 2, let identity = parts.last?.removingPercentEncoding,
            parts.first == address.path.split(separator: "/").last
        else { return nil }
        return RemoteIdentity([.string(identity)])
    }
}
