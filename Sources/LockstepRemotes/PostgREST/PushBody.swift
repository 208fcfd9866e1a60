import Foundation
import HTTPTypes
import LockstepJSON
import LockstepTables

/// The body of a request with changes, and the responses in that of the response: `{"changes": […]}`,
/// `{"responses": […]}`.
struct PushBody {
    let changes: [OutgoingChange]

    /// - Throws: `JSONSyntaxError` if a change is not JSON.
    func json() throws -> Data {
        try JSONValue.object(["changes": .array(changes.map(Self.message))]).json()
    }

    private static func message(_ change: OutgoingChange) throws -> JSONValue {
        let operation =
            switch change.kind {
            case .create: "create"
            case .update: "update"
            case .delete: "delete"
            }
        let members = change.kind == .update ? change.changes : change.body
        return [
            "key": .string(key(of: change)), "op": .string(operation), "entity": .string(change.entity.name),
            "id": change.identity.map { $0.values.count == 1 ? $0.values[0] : .array($0.values) } ?? .null,
            "if": change.conditionNumber.map(JSONValue.integer) ?? .null,
            "members": change.kind == .delete ? .object([:]) : try JSONValue(json: members),
        ]
    }

    /// The idempotency key as a UUID (RFC 9562, 5.8): the first half of a SHA-256. A change that is sent again for
    /// another version is another request, and needs its own key.
    static func key(of change: OutgoingChange) -> String {
        var hasher = ContentHasher()
        hasher.update(Data("\(change.idempotencyKey) \(change.conditionNumber.map(String.init) ?? "")".utf8))
        var digits = Array(hasher.finished().hash.prefix(32))
        (digits[12], digits[16]) = ("8", "8")
        let ends = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return ends.map { String(digits[$0]) }.joined(separator: "-")
    }

    // MARK: Responses

    /// The response to a change as if it had been sent by itself, and the record's version.
    struct Part: Sendable {
        let response: HTTPClientResponse
        let version: String?
    }

    /// The responses in the order of the changes; `nil` for a change that has none.
    ///
    /// - Throws: ``FeedBody/Problem`` if the body has no responses.
    func parts(in body: Data) throws -> [Part?] {
        guard case .array(let elements)? = (try? JSONValue(json: body))?["responses"] else {
            throw FeedBody.Problem(reason: "without “responses”")
        }
        var found: [String: JSONValue] = [:]
        for element in elements {
            if case .string(let key)? = element["key"] { found[key.lowercased()] = element }
        }
        return changes.map { change in found[Self.key(of: change)].flatMap(Self.part) }
    }

    private static func part(_ element: JSONValue) -> Part? {
        guard case .integer(let status)? = element["status"], (100...599).contains(status) else { return nil }
        let isRecord = (200..<300).contains(status) || status == 412
        let content = isRecord ? element["record"] : element["problem"]
        let body = content.flatMap { $0 == .null ? nil : try? $0.json() } ?? Data()
        let response = HTTPClientResponse(HTTPResponse(status: .init(code: Int(status))), body: .data(body))
        guard case .integer(let version)? = element["version"] else { return Part(response: response, version: nil) }
        return Part(response: response, version: String(version))
    }
}

extension OutgoingChange {
    /// The version in the feed that the change was made to; `nil` if it is not known.
    fileprivate var conditionNumber: Int64? { kind == .create ? nil : version.flatMap { Int64($0) } }
}
