import Foundation
import HTTPTypes
import LockstepTables

extension HTTPField.Name {
    /// The field of the IETF's draft `draft-ietf-httpapi-idempotency-key-header`.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

extension RESTRemote {
    @_spi(Requirements) public func send(_ change: OutgoingChange) async throws -> SendResponse {
        let updates = conventions(of: change.entity).writes.updates
        guard change.kind == .update, updates.readsFirst(change) else { return try await send(change, body: nil) }
        var refusal: SendResponse?
        var last = Data()
        let response = try await change.writeWhole {
            let current = try await current(of: change)
            refusal = current.refusal
            last = current.record?.body ?? Data()
            return current.record
        } write: { record, version in
            let response = try await send(
                change, body: updates.body(of: change, whole: record, over: last), version: version)
            if case .outdated(let body?, _) = response { last = body }
            return response
        }
        return refusal ?? response
    }

    /// The server's state of the record, to be written back as a whole, or to be compared with.
    private func current(of change: OutgoingChange) async throws -> (record: CurrentRecord?, refusal: SendResponse?) {
        let address = try recordAddress(of: change.identity, in: change.entity, method: .get)
        var fields = conventions(of: change.entity).readingFields
        fields.askForUnchangedTag()
        let exchange = try await RemoteExchange.send(
            .get, address: address, fields: fields, subject: (change.entity, change.identity), client: client,
            clock: clock)
        let isFiltered = form(of: change.entity).isFiltered
        if let outcome = try await exchange.outcome(of: .update, isFiltered: isFiltered) { return (nil, outcome) }
        guard let record = try await current(in: exchange, of: change) else { return (nil, .absent) }
        return (record, nil)
    }

    /// The record in a successful response; `nil` if the response says that there is none.
    func current(in exchange: RemoteExchange, of change: OutgoingChange) async throws -> CurrentRecord? {
        let form = form(of: change.entity)
        do {
            guard let body = try await exchange.record({ try form.record(in: $0) }) else {
                throw RecordForm.WrongShape(reason: "the response is not a record")
            }
            return CurrentRecord(body: body, version: exchange.version)
        } catch is RecordForm.NoRecord {
            return nil
        } catch let problem as RecordForm.WrongShape {
            throw exchange.error(
                .malformed, reason: problem.reason,
                remedy: "Check the address and the envelope of the record, which is read before it is written.")
        }
    }

    /// - Parameters:
    ///   - body: The body, if the record was read before.
    ///   - version: The version of the record that the body is based on.
    private func send(_ change: OutgoingChange, body: Data?, version: String? = nil) async throws -> SendResponse {
        let write = try RESTWrite(change, read: body, basedOn: version, remote: self)
        let exchange = try await RemoteExchange.send(
            write.method, address: write.address, fields: write.fields, body: write.body,
            subject: (change.entity, change.identity), client: client,
            clock: clock)
        return try await response(to: change, write: write, in: exchange, isWhole: body != nil)
    }

    /// The result of a write.
    ///
    /// - Parameter isWhole: Whether the record was read before.
    func response(
        to change: OutgoingChange, write: RESTWrite, in exchange: RemoteExchange, isWhole: Bool
    ) async throws -> SendResponse {
        let acknowledgements = conventions(of: change.entity).writes.acknowledgements
        if let outcome = try await exchange.outcome(
            of: change.kind, isFiltered: form(of: change.entity).isFiltered,
            trustsPages: acknowledgements.includeErrorPages)
        {
            return try await conflict(in: outcome, change: change, write: write) ?? outcome
        }
        do {
            return try await result(of: change, in: exchange, readsVersion: traits.hasVersions || isWhole)
        } catch is RecordForm.NoRecord {
            return try await unchanged(by: change, in: exchange)
        }
    }

    /// The result of a write that was accepted, or has found another version.
    ///
    /// - Parameter readsVersion: Whether the result contains the record's version.
    /// - Throws: ``RecordForm/NoRecord`` if the server has found no record to write.
    func result(
        of change: OutgoingChange, in exchange: RemoteExchange, readsVersion: Bool
    ) async throws -> SendResponse {
        let form = form(of: change.entity)
        let unwrap = { try form.record(in: $0, respondingTo: change) }
        let version = readsVersion ? exchange.version : nil
        if exchange.meaning == .outdated {
            // The body may be an error.
            let current = try await exchange.record { (try? unwrap($0)) ?? Data() }
            return .outdated(current: current, version: version)
        }
        let identity = change.kind == .create ? exchange.newIdentity : nil
        let isNamed = identity != nil && exchange.status == 201
        do {
            let acknowledgements = conventions(of: change.entity).writes.acknowledgements
            let record = try await exchange.confirmation(
                of: change, isNamed: isNamed, emptyStatuses: acknowledgements.emptyStatuses,
                isAcknowledgement: acknowledgements.includes(text:), unwrap: unwrap)
            return .accepted(body: change.kind == .delete ? nil : record, version: version, identity: identity)
        } catch let problem as RecordForm.WrongShape {
            guard isNamed else { throw exchange.unexpected(problem.reason) }
            return .accepted(body: nil, version: version, identity: identity)
        }
    }

    /// The result if the server rejects a write because of the version, with a status that has other meanings too: the
    /// record has another one than the condition says, or the server requires a condition (428) and the version was not
    /// known. Otherwise `nil`.
    private func conflict(
        in outcome: SendResponse, change: OutgoingChange, write: RESTWrite
    ) async throws -> SendResponse? {
        guard case .refused(let status, _) = outcome, change.kind != .create, traits.hasVersions else { return nil }
        let condition = write.fields[.ifMatch]
        let isConflict = conventions(of: change.entity).writes.conflictStatuses.contains(status)
        guard condition == nil ? status == 428 : isConflict else { return nil }
        let current = try await current(of: change)
        if let refusal = current.refusal { return refusal }
        guard let record = current.record, let version = record.version, version != condition else { return nil }
        return .outdated(current: record.body, version: version)
    }

    /// The meaning of a write of filtered records that has found none: the record does not exist, it has another
    /// version than the filter says, or the server does not permit the write.
    private func unchanged(by change: OutgoingChange, in exchange: RemoteExchange) async throws -> SendResponse {
        guard change.kind != .create else { throw exchange.unexpected("an empty list instead of the record") }
        let current = try await current(of: change)
        if let refusal = current.refusal { return refusal }
        if let version = change.versionAttribute, let record = current.record,
            case let there = try JSONValue(json: record.body).value(at: version.path) ?? .null,
            !there.says(version.value)
        {
            return .outdated(current: record.body)
        }
        throw exchange.error(
            .unsupported, reason: "the server has the record, but does not let this user write it",
            remedy: "Check the server's permissions, such as row-level security.")
    }
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
