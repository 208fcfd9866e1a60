import Foundation
import LockstepStore

/// The content of a response to a change: the record, and its identity.
struct ResponseRecord: Sendable {
    /// The record as JSON, with its identity; `nil` if the response does not contain it.
    let json: Data?
    /// The identity that the server assigned; `nil` if the response does not contain it.
    let identity: RemoteIdentity?

    /// - Parameters:
    ///   - body: The response's body. One that is no JSON object says nothing: the server has taken the change
    ///     nevertheless.
    ///   - known: The identity that was returned beside the body, or that is known already.
    init(_ body: Data?, plan: EntityPlan, known: RemoteIdentity?) {
        let paths = plan.serverKeyPaths
        guard let body, !body.isEmpty, let values = JSONMembers.values(at: paths, of: body) else {
            json = nil
            identity = known
            return
        }
        let own = values.compactMap { $0 }.filter { $0 != .null }
        if own.count == paths.count, !own.isEmpty {
            (identity, json) = (RemoteIdentity(own), body)
            return
        }
        identity = known
        // Without its identity it could not be matched. `{"error": …}` is no record.
        json = Self.hasMembers(of: plan, body) ? known.flatMap { Self.adding($0, at: paths, to: body) } : nil
    }

    /// Whether an object has any member that the schema knows.
    private static func hasMembers(of plan: EntityPlan, _ body: Data) -> Bool {
        let paths = plan.columns.compactMap { $0.wire?.path } + plan.relationships.compactMap(\.wire.ownPath)
        return JSONMembers.values(at: paths, of: body)?.contains { $0 != nil } ?? false
    }

    private static func adding(_ identity: RemoteIdentity, at paths: [[String]], to body: Data) -> Data? {
        guard identity.values.count == paths.count, var value = try? JSONValue(json: body) else { return body }
        for (path, part) in zip(paths, identity.values) { value.set(part, at: path) }
        return try? value.json()
    }

    /// Why a creation cannot be confirmed; `nil` if it can.
    func problem(for record: PushRecord) -> String? {
        if let column = record.plan.remoteColumn {
            guard let value = identity?.values.first else {
                return record.identity == nil
                    ? "the server has taken the record and did not return its identity" : nil
            }
            return (try? value.stored(in: record.plan.columns[column])) == nil
                ? "the server has given the record an identity that the schema does not allow" : nil
        }
        guard let identity, let own = record.identity, !RemoteEntity(record.plan).isSame(identity, own) else {
            return nil
        }
        return """
            the server has given the record another identity, \(identity.text) instead of \(own.text); an entity whose \
            identity the server makes needs `identity: { local: …, remote: … }`
            """
    }
}
