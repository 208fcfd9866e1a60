import Foundation
import HTTPTypes
import LockstepStore

extension RESTRemote {
    public func send(batch changes: [OutgoingChange]) async throws -> [Result<SendResponse, SyncError>] {
        guard let batches = conventions.batches, let first = changes.first else { return try await sendEach(changes) }
        var results: [Int: Result<SendResponse, SyncError>] = [:]
        var writes: [Int: RESTWrite] = [:]
        for (index, change) in changes.enumerated() {
            if conventions(of: change.entity).updates.readsFirst(change), change.kind == .update {
                results[index] = try await result { try await send(change) }
            } else {
                do { writes[index] = try RESTWrite(change, nil, basedOn: nil, self) } catch let error as SyncError {
                    results[index] = .failure(error)
                }
            }
        }
        guard !writes.isEmpty else { return changes.indices.compactMap { results[$0] } }
        let exchange = try await exchange(writes, batches, first.entity)
        switch exchange.meaning {
        case .success:
            let answers = try await BatchAnswers(exchange, batches)
            for (index, write) in writes {
                results[index] = try await result {
                    guard let answer = try answers.answer(to: index) else {
                        throw exchange.unexpected("without a response to request \(index + 1) of the batch")
                    }
                    let part = RemoteExchange(write, changes[index], answer, now: clock.now)
                    return try await response(to: changes[index], write, part, isWhole: false)
                }
            }
        // The batch was rejected, which says nothing about what is in it.
        case .absent, .refused, .outdated:
            for index in writes.keys.sorted() { results[index] = try await result { try await send(changes[index]) } }
        case .unavailable(let retryAfter):
            let answer = SendResponse.unavailable(status: exchange.status, retryAfter: retryAfter)
            for index in writes.keys { results[index] = .success(answer) }
        case .unauthorized, .updateNeeded, .redirected, .notModified: throw exchange.failure
        }
        return changes.indices.compactMap { results[$0] }
    }

    private func result(_ body: () async throws -> SendResponse) async throws -> Result<SendResponse, SyncError> {
        do { return .success(try await body()) } catch let error as SyncError { return .failure(error) }
    }

    private func exchange(
        _ writes: [Int: RESTWrite], _ batches: RESTConventions.Batches, _ entity: RemoteEntity
    ) async throws -> RemoteExchange {
        let requests = try writes.sorted { $0.key < $1.key }.map { index, write in
            try write.request(id: BatchAnswers.id(of: index), in: url)
        }
        var fields = conventions.readingFields
        fields[.contentType] = conventions.mediaType
        let body = JSONValue.object([:]).setting(.array(requests), at: batches.requests.keys)
        return try await RemoteExchange.send(
            .post, RemoteAddress(base: url).appending(path: batches.path), fields, body: body.json(), (entity, nil),
            client, clock)
    }
}

extension RESTWrite {
    /// The request as a part of a batch.
    fileprivate func request(id: String, in base: URL) throws -> JSONValue {
        var headers: [String: JSONValue] = [:]
        for field in fields { headers[field.name.rawName] = .string(field.value) }
        var request: [String: JSONValue] = [
            "id": .string(id), "method": .string(method.rawValue),
            "url": .string(address.relativePath(to: try RemoteAddress(base: base))), "headers": .object(headers),
        ]
        if let body { request["body"] = try JSONValue(json: body) }
        return .object(request)
    }
}

extension RemoteExchange {
    /// A request of a batch and its response.
    fileprivate init(_ write: RESTWrite, _ change: OutgoingChange, _ answer: HTTPAnswer, now: Date) {
        self.init(
            method: write.method, address: write.address, entity: change.entity.name, record: change.identity?.text,
            isConditional: false, startedAt: now, answer: answer,
            meaning: ResponseDisposition(answer.response, now: now))
    }
}

/// The responses in the response to a batch.
private struct BatchAnswers {
    private let exchange: RemoteExchange
    private var answers: [String: JSONValue] = [:]

    static func id(of index: Int) -> String { String(index + 1) }

    /// - Throws: `SyncError` if the body does not contain responses.
    init(_ exchange: RemoteExchange, _ batches: RESTConventions.Batches) async throws {
        self.exchange = exchange
        let body = try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
        let place = batches.responses.keys
        guard case .array(let elements)? = try? JSONValue(json: body).value(at: place) else {
            throw exchange.unexpected("without responses under “\(batches.responses.shown)”")
        }
        for element in elements {
            switch element["id"] {
            case .string(let id)?: answers[id] = element
            case .integer(let id)?: answers[String(id)] = element
            default: throw exchange.unexpected("with a response that has no id")
            }
        }
    }

    /// The response to a request as if it had been sent by itself; `nil` if there is none.
    ///
    /// - Throws: `SyncError` if it has no status.
    func answer(to index: Int) throws -> HTTPAnswer? {
        guard let answer = answers[Self.id(of: index)] else { return nil }
        guard case .integer(let status)? = answer["status"], (100...999).contains(status) else {
            throw exchange.unexpected("with a response that has no status")
        }
        var fields: HTTPFields = [:]
        if case .object(let headers)? = answer["headers"] {
            for (name, value) in headers {
                if let name = HTTPField.Name(name), case .string(let text) = value { fields[name] = text }
            }
        }
        let body: Data
        switch answer["body"] {
        case nil, .null?: body = Data()
        // A text is not JSON: an HTML page, or an acknowledgement.
        case .string(let text)?: body = Data(text.utf8)
        case let value?: body = try value.json()
        }
        return HTTPAnswer(
            HTTPResponse(status: HTTPResponse.Status(code: Int(status)), headerFields: fields), body: .data(body))
    }
}
