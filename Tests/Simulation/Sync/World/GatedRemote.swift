import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting

/// A device's way to the server: tells the trace what passes, and lets nothing through of a device that was killed.
struct GatedRemote: PacedRemote {
    let remote: any Remote
    let killSwitch: KillSwitch
    let trace: Trace
    let responses: Responses
    let server: SimulatedServer
    let crossing: Crossing

    /// What the server has told a device since it was asked last.
    final class Responses: Sendable {
        private let count = Locked(0)
        private let versions = Locked<[World.WrittenValue: Int]>([:])

        /// For which version of its record the server has accepted an update with a value: 0 if for any; `nil` if it
        /// has not told.
        func version(_ value: World.WrittenValue) -> Int? { versions.withLock { $0[value] } }

        /// The server has accepted an update.
        func accept(_ change: OutgoingChange) {
            guard case .object(let members)? = try? JSONValue(json: change.changes) else { return }
            let version = Int((change.version ?? "").filter(\.isNumber)) ?? 0
            versions.withLock { versions in
                for (key, value) in members {
                    let value = World.WrittenValue(path: change.entity.path, key: key, value: value)
                    versions[value] = max(version, versions[value] ?? 0)
                }
            }
        }

        func add() { count.withLock { $0 += 1 } }
        func take() -> Int {
            count.withLock { count in
                defer { count = 0 }
                return count
            }
        }
    }

    var traits: RemoteTraits { remote.traits }

    func changes(of entity: RemoteEntity) -> RemoteChanges? { remote.changes(of: entity) }

    func letOneArrive(of travelling: Int) async -> Bool { await crossing.letOneArrive(of: travelling) }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let response = try await passing("fetch \(Self.text(request))") {
            try await remote.fetch(request)
        } outcome: {
            switch $0 {
            case .records: "records"
            case .notModified: "not modified"
            case .gone: "gone"
            case .expired: "expired"
            case .absent: "absent"
            }
        }
        if case .notModified = response {} else { responses.add() }
        if case .records(let records) = response, records.next != nil {
            for edit in server.turnPage() { trace.note("meanwhile others \(edit.text)") }
        }
        return response
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let response = try await passing(Self.text(change)) {
            try await remote.send(change)
        } outcome: {
            Self.text($0)
        }
        note(response, to: change)
        return response
    }

    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        let results = try await passing(changes.map(Self.text).joined(separator: "; ")) {
            try await remote.send(batch: changes)
        } outcome: { results in
            results.map { result in
                switch result {
                case .response(let response): Self.text(response)
                case .failure(let error): "\((error as? SyncError).map { "\($0.code)" } ?? "\(error)")"
                case .unsent: "unsent"
                }
            }.joined(separator: "; ")
        }
        for (change, result) in zip(changes, results) {
            if case .response(let response) = result { note(response, to: change) }
        }
        return results
    }

    private func note(_ response: SendResponse, to change: OutgoingChange) {
        if case .accepted = response, change.kind == .update { responses.accept(change) }
        switch response {
        case .accepted, .absent, .outdated: responses.add()
        case .refused, .unavailable: break
        }
    }

    private static func text(_ response: SendResponse) -> String {
        switch response {
        case .accepted(_, let version, let identity):
            "accepted\(identity.map { " as \($0.text)" } ?? "")\(version.map { " v\($0)" } ?? "")"
        case .absent: "absent"
        case .outdated(let current, let version):
            "outdated, v\(version ?? "?") is \(current.map { String(decoding: $0, as: UTF8.self) } ?? "?")"
        case .refused(let status, _): "refused \(status)"
        case .unavailable(let status, let seconds): "unavailable \(status)\(seconds.map { ", wait \($0) s" } ?? "")"
        }
    }

    private static func text(_ change: OutgoingChange) -> String {
        let body = String(decoding: change.kind == .update ? change.changes : change.body, as: UTF8.self)
        let version = change.version.map { " if \($0)" } ?? ""
        return "\(change.kind) \(change.entity.path)/\(change.identity?.text ?? "new") \(body)\(version)"
    }

    private static func text(_ request: RemoteRequest) -> String {
        let page = request.page.map { " page \($0)" } ?? ""
        let query = request.query.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
        switch request.target {
        case .record(let identity): return "\(request.entity.path)/\(identity.text)"
        case .path(let path): return path + page
        case .collection: return "\(request.entity.path)\(query.isEmpty ? "" : "?" + query)\(page)"
        }
    }

    private func passing<Response: Sendable>(
        _ what: String, _ body: @escaping @Sendable () async throws -> Response,
        outcome: @escaping @Sendable (Response) -> String
    ) async throws -> Response {
        let hasLeft = !killSwitch.isDead
        return try await crossing.pass(what) { survives in
            // A request that has left may arrive although its device is killed meanwhile.
            if killSwitch.isDead, !(hasLeft && survives) { throw CancellationError() }
            do {
                let response = try await body()
                trace.note("\(what) → \(outcome(response))")
                return response
            } catch let error as SyncError {
                trace.note("\(what) → \(error.code)")
                throw error
            }
        }
    }
}
