import Foundation
import HTTPTypes
import LockstepStore

extension HTTPField.Name {
    /// The field of the IETF's draft `draft-ietf-httpapi-idempotency-key-header`.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

extension RESTRemote {
    public func send(_ change: OutgoingChange) async throws -> SendResponse {
        guard change.kind == .update, conventions(of: change.entity).updates == .wholeRecord else {
            return try await send(change, nil)
        }
        var refusal: SendResponse?
        let response = try await change.writeWhole {
            let current = try await current(of: change)
            refusal = current.refusal
            return current.record
        } write: { record, version in
            try await send(change, record, version)
        }
        return refusal ?? response
    }

    /// The server's state of the record, to be written back as a whole.
    private func current(of change: OutgoingChange) async throws -> (record: CurrentRecord?, refusal: SendResponse?) {
        var fields = conventions(of: change.entity).headers
        fields[.accept] = "application/json"
        let address = try recordAddress(of: change.identity, in: change.entity, .get)
        let exchange = try await RemoteExchange.send(
            .get, address, fields, (change.entity, change.identity), client, clock)
        if let outcome = try await exchange.outcome(of: .update) { return (nil, outcome) }
        let wrapKey = change.entity.wrapKey
        guard let body = try await exchange.record({ BodyWrapping.unwrapped($0, wrapKey) }) else {
            throw exchange.error(
                .malformed, "the response is not a record",
                "Check the address of the record, which is read before it is written.")
        }
        return (CurrentRecord(body: body, version: exchange.version), nil)
    }

    /// - Parameters:
    ///   - whole: The record that is written instead of the changed members.
    ///   - version: The version of the record that this is based on.
    private func send(_ change: OutgoingChange, _ whole: Data?, _ version: String? = nil) async throws -> SendResponse {
        let exchange = try await request(change, whole, version)
        let acknowledgements = conventions(of: change.entity).acknowledgements
        if let outcome = try await exchange.outcome(
            of: change.kind, trustsPages: acknowledgements.includeErrorPages)
        {
            return outcome
        }
        let unwrap = { BodyWrapping.unwrapped($0, answering: change) }
        let version = traits.hasVersions || whole != nil ? exchange.version : nil
        if exchange.meaning == .outdated {
            return .outdated(current: try await exchange.record(unwrap), version: version)
        }
        let identity = change.kind == .create ? exchange.newIdentity : nil
        let record = try await exchange.confirmation(
            of: change, isNamed: identity != nil && exchange.status == 201, acknowledgements, unwrap)
        return .accepted(body: change.kind == .delete ? nil : record, version: version, identity: identity)
    }

    private func request(
        _ change: OutgoingChange, _ whole: Data?, _ current: String?
    ) async throws -> RemoteExchange {
        let conventions = conventions(of: change.entity)
        var fields = conventions.fields
        fields[.accept] = "application/json"
        if change.kind != .delete { fields[.contentType] = "application/json" }
        let body: Data?
        let method: HTTPRequest.Method
        var address: RemoteAddress
        switch change.kind {
        case .create where conventions.createsByPut && change.identity != nil:
            (method, body) = (.put, BodyWrapping.wrapped(change.body, change.entity.wrapKey))
            address = try recordAddress(of: change.identity, in: change.entity, method)
            if traits.hasVersions { fields[.ifNoneMatch] = "*" }
        case .create:
            (method, body) = (.post, BodyWrapping.wrapped(change.body, change.entity.wrapKey))
            address = try collectionAddress(of: change.entity, method)
            fields[.idempotencyKey] = conventions.idempotencyKeys.value(of: change.idempotencyKey)
        case .update:
            method = whole == nil ? .patch : .put
            body = BodyWrapping.wrapped(whole ?? change.changes, change.entity.wrapKey)
            address = try recordAddress(of: change.identity, in: change.entity, method)
        case .delete:
            (method, body) = (.delete, nil)
            address = try recordAddress(of: change.identity, in: change.entity, method)
            if conventions.deletesTellVersion, let version = change.versionAttribute {
                address = address.appending(version.parameter, RemoteIdentity([version.value]).text)
            }
        }
        if traits.hasVersions, change.kind != .create, let version = change.version { fields[.ifMatch] = version }
        if let current { fields[.ifMatch] = current }
        return try await RemoteExchange.send(
            method, address, fields, body: body, (change.entity, change.identity), client, clock)
    }
}

extension RESTConventions.IdempotencyKeys {
    /// The field's value.
    fileprivate func value(of key: String) -> String {
        guard self == .quoted else { return key }
        // A structured string has visible ASCII characters only, and escapes two of them (RFC 9651, 3.3.3).
        let visible = CharacterSet(charactersIn: " "..."~").subtracting(CharacterSet(charactersIn: "%"))
        let isVisible = key.unicodeScalars.allSatisfy { (" "..."~").contains($0) }
        let text = isVisible ? key : key.addingPercentEncoding(withAllowedCharacters: visible) ?? key
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

extension OutgoingChange.VersionAttribute {
    /// The parameter with the version, in the format of Rails: `lock_version`, or `meta[version]` for a path.
    fileprivate var parameter: String { (path.first ?? "") + path.dropFirst().map { "[\($0)]" }.joined() }
}

extension RemoteExchange {
    /// The identity in the `Location` of a new record: the last part of its path, if the part before is the
    /// collection's name, as in `/articles/7` for `/articles`.
    fileprivate var newIdentity: RemoteIdentity? {
        guard let location = fields[.location].flatMap(resolving) else { return nil }
        let parts = location.path.split(separator: "/").suffix(2)
        guard parts.count == 2, let identity = parts.last?.removingPercentEncoding,
            parts.first == address.path.split(separator: "/").last
        else { return nil }
        return RemoteIdentity([.string(identity)])
    }
}
