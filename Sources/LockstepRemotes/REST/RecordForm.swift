import Foundation
import LockstepTables

/// How a server's bodies contain the records of an entity: the envelope, and the key of the schema (`wrap`) in it.
struct RecordForm {
    let entity: RemoteEntity
    let envelope: RESTConventions.Envelope
    /// Whether a record is the result of a filter, so that a response contains a list of at most one.
    let isFiltered: Bool
    /// Converts resources of JSON:API; `nil` if bodies have records as they are.
    let resource: JSONAPIResource?

    /// The response is a list without the record.
    struct NoRecord: Error {}
    /// The response does not have the shape that the conventions say.
    struct WrongShape: Error {
        let reason: String
    }

    // MARK: Requests

    /// The body of a request.
    ///
    /// - Parameters:
    ///   - record: The record, or its changed members.
    ///   - identity: The record's identity; `nil` if the server assigns it.
    func body(of record: Data, identity: RemoteIdentity?) throws -> Data {
        var record = BodyWrapping.wrapped(record, key: entity.wrapKey)
        if let resource { record = try resource.resource(of: JSONValue(json: record), identity: identity).json() }
        return envelope.request.keys.reversed().reduce(record) { BodyWrapping.wrapped($0, key: $1) }
    }

    /// The keys of a member in the record, as the server names it: some name it by its keys in the whole request.
    func recordPath(_ path: [String]) -> [String] {
        let wrap = entity.wrapKey.map { [$0] } ?? []
        let around = [envelope.request.keys + wrap, envelope.request.keys, wrap]
            .first { !$0.isEmpty && $0.count < path.count && path.starts(with: $0) }
        return Array(path.dropFirst(around?.count ?? 0))
    }

    // MARK: Responses with one record

    /// The record in a response, without what is around it. What is not JSON, and what is empty, is unchanged.
    ///
    /// - Throws: ``NoRecord``, ``WrongShape``.
    func record(in body: Data) throws -> Data { BodyWrapping.unwrapped(try content(of: body), key: entity.wrapKey) }

    /// The record in the response to a write; see ``BodyWrapping/unwrapped(_:respondingTo:)``.
    func record(in body: Data, respondingTo change: OutgoingChange) throws -> Data {
        BodyWrapping.unwrapped(try content(of: body), respondingTo: change)
    }

    private func content(of body: Data) throws -> Data {
        let isEnveloped = !envelope.record.keys.isEmpty
        guard isEnveloped || isFiltered, let document = try? JSONValue(json: body), document != .null else {
            return body
        }
        guard let content = isEnveloped ? try enveloped(in: document) : document else {
            return Data("null".utf8)
        }
        let record = isFiltered ? try only(of: content) : content
        return try (resource?.record(of: record) ?? record).json()
    }

    /// The value in the envelope; `nil` if it is `null`, and nothing is beside it.
    private func enveloped(in document: JSONValue) throws -> JSONValue? {
        let path = envelope.record.keys
        switch document.value(at: path) {
        case .object(let members)?: return .object(members)
        case .array(let elements)? where isFiltered: return .array(elements)
        // What is beside it may be an error.
        case .null? where document.removing(at: path).isBlank: return nil
        default: throw WrongShape(reason: "the response has no record under “\(envelope.record.shown)”")
        }
    }

    private func only(of content: JSONValue) throws -> JSONValue {
        guard case .array(let elements) = content else { return content }
        switch elements.count {
        case 0: throw NoRecord()
        case 1: return elements[0]
        default: throw WrongShape(reason: "the response has \(elements.count) records instead of one")
        }
    }

    // MARK: Responses with a collection

    /// Whether the list must be taken out of the response before it is merged.
    var extractsLists: Bool { resource != nil || envelope.list.keys.count > 1 }

    /// The list in a response, as JSON.
    ///
    /// - Throws: ``WrongShape``; `JSONSyntaxError`.
    func list(in page: Data) throws -> Data {
        guard let list = try JSONLocation.array(at: envelope.list.keys, of: page) else {
            throw WrongShape(reason: "the response has no list under “\(envelope.list.shown)”")
        }
        guard let resource else { return list }
        var records = Data("[".utf8)
        for (index, range) in (try JSONLocation.elements(of: list) ?? []).enumerated() {
            if index > 0 { records.append(UInt8(ascii: ",")) }
            records += try resource.record(of: JSONValue(json: list.bytes(in: range))).json()
        }
        return records + Data("]".utf8)
    }
}

extension JSONValue {
    /// Whether it says nothing: it is empty, or contains only such values.
    fileprivate var isBlank: Bool {
        switch self {
        case .null: true
        case .array(let elements): elements.allSatisfy(\.isBlank)
        case .object(let members): members.values.allSatisfy(\.isBlank)
        case .bool, .integer, .decimal, .double, .string: false
        }
    }
}
