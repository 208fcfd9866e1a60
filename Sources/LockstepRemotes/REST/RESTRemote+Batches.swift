import Foundation
import HTTPTypes
import LockstepTables

extension RESTRemote {
    @_spi(Requirements) public func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        guard let batches = conventions.writes.batches, let first = changes.first else {
            return changes.map { _ in .unsent }
        }
        // Updates that read the record first, and changes that no request can be made of, are sent by themselves.
        var writes: [Int: RESTWrite] = [:]
        for (index, change) in changes.enumerated()
        where change.kind != .update || !conventions(of: change.entity).writes.updates.readsFirst(change) {
            writes[index] = try? RESTWrite(change, read: nil, basedOn: nil, remote: self)
        }
        if writes.isEmpty { return changes.map { _ in .unsent } }
        let exchange = try await exchange(writes, batches: batches, of: first.entity)
        switch exchange.meaning {
        case .success:
            let responses = try await BatchResponses(exchange, batches: batches)
            var results: [BatchResult] = []
            for (index, change) in changes.enumerated() {
                guard let write = writes[index] else {
                    results.append(.unsent)
                    continue
                }
                do {
                    results.append(try await result(of: index, change: change, write: write, responses: responses))
                } catch {
                    results.append(.failure(error))
                }
            }
            return results
        // The batch was rejected, which says nothing about what is in it.
        case .absent, .refused, .outdated: return changes.map { _ in .unsent }
        case .unavailable(let retryAfter):
            let response = SendResponse.unavailable(status: exchange.status, retryAfter: retryAfter)
            return changes.indices.map { writes[$0] == nil ? .unsent : .response(response) }
        case .unauthorized, .updateNeeded, .inconclusive, .notModified: throw exchange.failure
        }
    }

    private func result(
        of index: Int, change: OutgoingChange, write: RESTWrite, responses: BatchResponses
    ) async throws -> BatchResult {
        let part = RemoteExchange(write, change: change, response: try responses.response(to: index), now: clock.now)
        switch part.meaning {
        // The client gets another token for a request of its own.
        case .unauthorized: return .unsent
        case .updateNeeded:
            let body = try await part.response.body.beginning(upTo: RemoteExchange.refusalLimitBytes)
            throw part.updateNeeded(message: UpdateMessage.text(in: body))
        default: return .response(try await response(to: change, write: write, in: part, isWhole: false))
        }
    }

    private func exchange(
        _ writes: [Int: RESTWrite], batches: RESTConventions.Batches, of entity: RemoteEntity
    ) async throws -> RemoteExchange {
        let requests = try writes.sorted { $0.key < $1.key }.map { index, write in
            try write.request(id: BatchResponses.id(of: index), in: url)
        }
        var fields = conventions.readingFields
        fields[.contentType] = conventions.mediaType
        let body = JSONValue.object([:]).setting(.array(requests), at: batches.requests.keys)
        return try await RemoteExchange.send(
            .post, address: RemoteAddress(base: url).appending(path: batches.path), fields: fields, body: body.json(),
            subject: (entity, nil),
            client: client, clock: clock)
    }
}

extension RESTWrite {
    /// The request as a part of a batch.
    fileprivate func request(id: String, in base: URL) throws -> JSONValue {
        var headers: JSONObject = [:]
        for field in fields { headers[field.name.rawName] = .string(field.value) }
        var request: JSONObject = [
            "id": .string(id), "method": .string(method.rawValue),
            "url": .string(address.relativePath(to: try RemoteAddress(base: base))), "headers": .object(headers),
        ]
        if let body { request["body"] = try JSONValue(json: body) }
        return .object(request)
    }
}

extension RemoteExchange {
    /// A request of a batch and its response.
    fileprivate init(_ write: RESTWrite, change: OutgoingChange, response: HTTPClientResponse, now: Date) {
        self.init(
            method: write.method, address: write.address, entity: change.entity.name, record: change.identity?.text,
            isConditional: false, startedAt: now, response: response,
            meaning: ResponseDisposition(response.head, now: now))
    }
}

/// The responses in the response to a batch.
private struct BatchResponses {
    private let exchange: RemoteExchange
    private var responses: JSONObject = [:]

    static func id(of index: Int) -> String { String(index + 1) }

    /// - Throws: `SyncError` if the body does not contain responses.
    init(_ exchange: RemoteExchange, batches: RESTConventions.Batches) async throws {
        self.exchange = exchange
        let body = try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
        let path = batches.responses.keys
        guard case .array(let elements)? = try? JSONValue(json: body).value(at: path) else {
            throw exchange.unexpected("without responses under “\(batches.responses.shown)”")
        }
        for element in elements {
            switch element["id"] {
            case .string(let id)?: responses[id] = element
            case .integer(let id)?: responses[String(id)] = element
            default: throw exchange.unexpected("with a response that has no id")
            }
        }
    }

    /// The response to a request as if it had been sent by itself.
    ///
    /// - Throws: `SyncError` if there is none, or it has no status.
    func response(to index: Int) throws -> HTTPClientResponse {
        guard let response = responses[Self.id(of: index)] else {
            throw exchange.unexpected("without a response to request \(index + 1) of the batch")
        }
        guard case .integer(let status)? = response["status"], (100...999).contains(status) else {
            throw exchange.unexpected("with a response that has no status")
        }
        var fields: HTTPFields = [:]
        if case .object(let headers)? = response["headers"] {
            for (name, value) in headers {
                if let name = HTTPField.Name(name) { fields[name] = RemoteIdentity([value]).text }
            }
        }
        let body: Data
        switch response["body"] {
        case nil, .null?: body = Data()
        // A text is not JSON: an HTML page, or an acknowledgement.
        case .string(let text)?: body = Data(text.utf8)
        case let value?: body = try value.json()
        }
        return HTTPClientResponse(
            HTTPResponse(status: HTTPResponse.Status(code: Int(status)), headerFields: fields), body: .data(body))
    }
}
