import Foundation
import LockstepStore
import LockstepSync

extension RemoteEntity {
    /// The paths of keys to the server's identity in a record, one for each attribute.
    private var identityPaths: [[String]] { plan.serverKeyPaths }

    /// The identity of a record; `nil` if a part of it is missing.
    func identity(in json: JSONValue) -> RemoteIdentity? {
        let values = identityPaths.compactMap { path in path.reduce(Optional(json)) { $0?[$1] } }
        return values.isEmpty || values.count < identityPaths.count ? nil : RemoteIdentity(values)
    }

    /// An identity that a server makes: the number, or a text or UUID derived from it.
    func makeIdentity(number: Int64) -> JSONValue {
        switch (plan.remoteColumn ?? plan.keyColumns.first).map({ plan.columns[$0].type }) {
        case .int, .int16, .int32, .int64: .integer(number)
        case .uuid:
            .string("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - String(number).count) + "\(number)")
        default: .string("r\(number)")
        }
    }

    func setIdentity(_ identity: JSONValue, in json: inout JSONValue) {
        guard let path = identityPaths.first else { return }
        json.set(identity, at: path[...])
    }
}

extension JSONValue {
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let key = path.first else { return self = value }
        var member = self[key] ?? .null
        member.set(value, at: path.dropFirst())
        self[key] = member
    }
}
