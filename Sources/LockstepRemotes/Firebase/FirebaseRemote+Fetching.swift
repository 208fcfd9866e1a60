import Foundation
import HTTPTypes
import LockstepTables

extension FirebaseRemote {
    @_spi(Requirements) public func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        switch request.target {
        case .record(let identity): return try await record(identity, for: request)
        case .collection: return try await collection(at: request.entity.path, for: request)
        case .path(let path): return try await collection(at: path, for: request)
        }
    }

    private func collection(at path: String, for request: RemoteRequest) async throws -> FetchResponse {
        let address = try address(ofCollection: path).appending(request.query)
        // The tag is that of the whole collection, not of the result of a query.
        let isWhole = request.query.isEmpty
        let known = isWhole ? try await request.validators(address.absolute) : nil
        var fields: HTTPFields = [.accept: "application/json"]
        if isWhole { fields[.firebaseETag] = "true" }
        let exchange = try await exchange(.get, address: address, fields: fields, of: request.entity)
        switch exchange.meaning {
        case .success: break
        case .absent: return .absent
        default: throw exchange.failure
        }
        let tag = isWhole ? exchange.fields[.eTag] : nil
        // The server does not support `If-None-Match`, but sends the tag before the body, which need not be read then.
        if let tag, tag == known?.entityTag { return .notModified(address: address.absolute) }
        return .records(
            FetchResponse.Records(
                body: exchange.response.body, payload: .map, address: address.absolute,
                validators: tag.map { Validators(entityTag: $0) }))
    }

    private func record(_ identity: RemoteIdentity, for request: RemoteRequest) async throws -> FetchResponse {
        let current = try await current(identity, of: request.entity, query: request.query)
        guard case .success = current.exchange.meaning else {
            if current.exchange.meaning == .absent { return .absent }
            throw current.exchange.failure
        }
        guard let record = current.record else { return .absent }
        return .records(FetchResponse.Records(body: .data(try record.json()), version: current.version))
    }

    /// The current state of a record on the server, with its version.
    func current(
        _ identity: RemoteIdentity, of entity: RemoteEntity, query: [URLQueryItem] = []
    ) async throws -> (exchange: RemoteExchange, record: JSONValue?, version: String?) {
        let key = try FirebaseKey.text(of: identity, in: entity)
        let address = try address(of: key, in: entity).appending(query)
        let fields: HTTPFields = [.accept: "application/json", .firebaseETag: "true"]
        let exchange = try await exchange(.get, address: address, fields: fields, of: entity, identity: identity)
        guard case .success = exchange.meaning else { return (exchange, nil, nil) }
        let record = try await exchange.firebaseValue()?.completed(with: identity, of: entity)
        return (exchange, record, exchange.fields[.eTag])
    }
}

extension RemoteExchange {
    /// The record at the address; `nil` for `null`, which stands for no record.
    ///
    /// - Throws: `SyncError.unexpectedResponse` if it is not a record: nothing may be overwritten that could not be
    ///   read.
    func firebaseValue() async throws -> JSONValue? {
        let body = try await collected(upTo: Self.recordLimitBytes)
        if ResponseBody.isPage(body) { throw unexpected("an HTML page") }
        do {
            switch try JSONValue(json: body) {
            case .null: return nil
            case .object(let members): return .object(members)
            case .array, .bool, .string, .integer, .decimal, .double:
                throw unexpected("a JSON value that is not a record")
            }
        } catch let error as SyncError {
            throw error
        } catch {
            throw self.error(
                .malformed, reason: "the response is not JSON",
                remedy: "Check that the address is that of a Firebase database.",
                underlyingError: error)
        }
    }
}
