import Foundation
import LockstepStore

/// What a server answered to a change: the record, and who it is.
struct Answer: Sendable {
    /// The record as JSON, with its identity; `nil` where the server did not say anything of it.
    let json: Data?
    /// The identity that the server gave it; `nil` where it did not say.
    let identity: RemoteIdentity?

    /// - Parameters:
    ///   - body: What came. What is no JSON object says nothing: the server has taken the change all the same.
    ///   - known: The identity that came beside it, or that is known already.
    init(_ body: Data?, _ plan: EntityPlan, _ known: RemoteIdentity?) {
        guard let body, !body.isEmpty, var value = try? JSONValue(json: body), case .object = value else {
            json = nil
            identity = known
            return
        }
        let paths = Self.identityPaths(plan)
        let values = paths.compactMap { value.value(at: $0) }.filter { $0 != .null }
        if values.count == paths.count, !values.isEmpty {
            identity = RemoteIdentity(values)
        } else {
            identity = known
            if let known, known.values.count == paths.count {
                for (path, part) in zip(paths, known.values) { value.set(part, at: path) }
            }
        }
        // Without its identity it could not be matched.
        json = identity == nil ? nil : try? value.json()
    }

    private static func identityPaths(_ plan: EntityPlan) -> [[String]] {
        let columns = plan.remoteColumn.map { [$0] } ?? plan.keyColumns
        return columns.compactMap { plan.columns[$0].wire?.path }
    }

    /// Why a creation cannot be confirmed; `nil` where it can.
    func problem(for record: PushRecord) -> String? {
        if record.plan.remoteColumn != nil {
            return identity == nil && record.identity == nil
                ? "the server has taken the record and did not say which identity it has now" : nil
        }
        guard let identity, let own = record.identity, identity.comparable != own.comparable else { return nil }
        return """
            the server has given the record another identity, \(identity.text) instead of \(own.text); an entity whose \
            identity the server makes needs `identity: { local: …, remote: … }`
            """
    }
}

extension RemoteIdentity {
    /// The texts as they are compared: `"7"` is 7, and UUIDs are the same in any case (Rules.md, M5).
    fileprivate var comparable: [String] {
        texts.map { text in UUID(uuidString: text)?.uuidString ?? text }
    }
}
