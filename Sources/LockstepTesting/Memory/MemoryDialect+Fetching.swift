import Foundation
import LockstepStore
import LockstepSync

extension MemoryDialect {
    /// The address under which the validators of a request are stored.
    func address(of request: RemoteRequest) -> String {
        let call = RemoteCall(request)
        return "memory:\(call.path)\(call.identity.map { "/" + $0.text } ?? "")?"
            + (call.query.map { "\($0.name)=\($0.value ?? "")" } + [request.page ?? ""]).joined(separator: "&")
    }

    /// The response to a fetch.
    func response(to request: RemoteRequest, knowing validators: Validators?, in state: inout ServerState)
        -> MemoryResponse
    {
        switch request.target {
        case .record(let identity): record(identity, for: request, knowing: validators, in: state)
        case .collection: collection(request.entity.path, for: request, knowing: validators, in: &state)
        case .path(let path): collection(path, for: request, knowing: validators, in: &state)
        }
    }

    private func record(
        _ identity: RemoteIdentity, for request: RemoteRequest, knowing validators: Validators?, in state: ServerState
    ) -> MemoryResponse {
        let key = request.entity.text(of: identity)
        guard let record = state.collections[request.entity.path]?[key] else { return .absent }
        let tag = String(record.version)
        if validators?.entityTag == tag { return .notModified }
        return .records(
            record.json, .records, next: nil, tag: tag, version: traits.hasVersions ? tag : nil)
    }

    private func collection(
        _ path: String, for request: RemoteRequest, knowing validators: Validators?, in state: inout ServerState
    ) -> MemoryResponse {
        let nested = NestedPath(path)
        let source = state.collections[path] == nil ? nested?.collection(in: state) ?? path : path
        let tag = String(state.collections[source]?.revision ?? 0) + state.listTagSuffix(source)
        if validators?.entityTag == tag { return .notModified }
        let start = request.page.flatMap(Int.init) ?? 0
        let filters = source == path ? [] : nested?.filters ?? []
        let (records, total) = state.listed(
            source, filters: filters + request.query.map { ($0.name, $0.value ?? "") }, from: start, count: pageSize,
            isReversed: true)
        let next = pageSize.flatMap { start + $0 < total ? String(start + $0) : nil }
        return .records(shaped(records), traits.payload, next: next, tag: tag, version: nil)
    }

    /// Records in the layout of a response.
    func shaped(_ records: [ServerRecord]) -> JSONValue {
        switch traits.payload {
        case .records: .array(records.map(\.json))
        case .wrapped(let key): .object([key: .array(records.map(\.json))])
        case .map where records.isEmpty: .null
        case .map: .object(JSONObject(records.map { ($0.key, $0.json) }))
        }
    }
}

/// The response of the in-memory server to a fetch.
enum MemoryResponse: Sendable {
    case records(JSONValue, PayloadShape, next: String?, tag: String, version: String?)
    case notModified
    case absent
}
