import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting

/// The server of the journal, which is released before the apps: it speaks its own version, and reads the keys of
/// earlier ones.
final class JournalServer: Sendable {
    private struct State {
        var version = JournalVersion.first
        var isFixed = false
        /// Creations by their idempotency keys: what was sent first, and what was made of it.
        var creations: [String: (sent: Data, read: Data)] = [:]
        var deletedNotebooks: Set<String> = []
        var violations: [String] = []
        /// The devices that know that pictures have members that their version does not know.
        var expectsMore: Set<String> = []
    }

    /// What a text ends with that the server refuses until it is fixed.
    static let refusedMark = "!"

    let memory: MemoryRemote
    private let replaysResponses: Bool
    private let state: Locked<State>

    init(_ scenario: VersionScenario, clock: any SyncClock) {
        replaysResponses = scenario.replaysResponses
        state = Locked(State(version: scenario.serverVersion))
        memory = MemoryRemote(
            traits: RemoteTraits(hasVersions: scenario.hasVersions), clock: clock, pageSize: scenario.pageSize,
            respondsWithBody: scenario.respondsWithBody)
    }

    var version: JournalVersion { state.withLock { $0.version } }

    /// What devices did that they must not do.
    var violations: [String] { state.withLock { $0.violations } }

    /// From now on it refuses nothing.
    func fix() { state.withLock { $0.isFixed = true } }

    func records(of collection: JournalCollection) -> [String: JSONValue] {
        Dictionary(
            uniqueKeysWithValues: (memory.server.collections[collection.rawValue]?.records ?? []).map {
                ($0.key, JournalSteps.canonical($0.json))
            })
    }

    /// Releases a version: every record takes its form.
    func release(_ version: JournalVersion) {
        state.withLock { $0.version = version }
        for collection in JournalCollection.sent {
            for record in memory.server.collections[collection.rawValue]?.records ?? [] {
                let json = JournalSteps.record(record.json, of: collection, to: version)
                if json != record.json { memory.set(json, id: record.key, in: collection.rawValue) }
            }
        }
    }

    // MARK: Unknown members

    /// - Parameter expectsMore: Whether the device knows that pictures have members that its version does not know.
    func begin(_ device: String, expectsMore: Bool) {
        state.withLock { state in
            if expectsMore { state.expectsMore.insert(device) } else { state.expectsMore.remove(device) }
        }
    }

    /// A list of pictures replaces the server's: it has the members that the device's version does not know (V11).
    func check(_ change: OutgoingChange, from device: String) throws {
        guard change.kind == .update, let key = change.identity?.text, !change.changes.isEmpty,
            state.withLock({ $0.expectsMore.contains(device) }),
            case .array(let sent)? = try JSONValue(json: change.changes)[JournalSteps.picturesKey],
            case .array(let known)? = memory.record(key, of: change.entity.path)?[JournalSteps.picturesKey]
        else { return }
        for picture in sent where picture["width"] == nil {
            let former = known.first { $0[JournalSteps.identityKey] == picture[JournalSteps.identityKey] }
            guard former?["width"] != nil else { continue }
            state.withLock {
                $0.violations.append("V11: \(device) takes the width of \(JournalSteps.text(picture)) in \(key)")
            }
        }
    }

    // MARK: Requests

    func send(_ change: OutgoingChange, from device: String) async throws -> SendResponse {
        guard let collection = JournalCollection(rawValue: change.entity.path) else { return .absent }
        if refuses(change) { return .refused(status: 422, body: Data(#"{"errors": "is not taken"}"#.utf8)) }
        var read = change
        switch change.kind {
        case .create: read.body = try creation(change, collection, device)
        case .update:
            read.body = try self.read(change.body, collection, isWhole: true)
            read.changes = try self.read(change.changes, collection, isWhole: false)
        case .delete: break
        }
        if change.kind == .create { read.changes = read.body }
        let response = try await memory.send(read)
        if change.kind == .delete, collection == .notebooks { unlink(change.identity?.text ?? "") }
        return try inCurrentForm(response, collection)
    }

    private func refuses(_ change: OutgoingChange) -> Bool {
        guard change.kind != .delete, !state.withLock({ $0.isFixed }) else { return false }
        let body = change.kind == .create ? change.body : change.changes
        return String(decoding: body, as: UTF8.self).contains(Self.refusedMark + "\"")
    }

    /// A creation that is sent again is the same, whatever the device was in between (V7), and is read as it was.
    private func creation(
        _ change: OutgoingChange, _ collection: JournalCollection, _ device: String
    ) throws -> Data {
        if let known = state.withLock({ $0.creations[change.idempotencyKey] }) {
            guard known.sent != change.body else { return known.read }
            state.withLock {
                $0.violations.append(
                    """
                    V7: \(device) sends \(change.entity.name) \(change.identity?.text ?? "") again as \
                    \(String(decoding: change.body, as: UTF8.self)), was \(String(decoding: known.sent, as: UTF8.self))
                    """)
            }
        }
        let body = try read(change.body, collection, isWhole: true)
        state.withLock { $0.creations[change.idempotencyKey] = (change.body, body) }
        return body
    }

    /// What the server makes of a device's JSON.
    private func read(
        _ body: Data, _ collection: JournalCollection, isWhole: Bool
    ) throws -> Data {
        var json = JournalSteps.record(try JSONValue(json: body), of: collection, to: version, isWhole: isWhole)
        if case .string(let notebook)? = json[JournalSteps.notebookKey],
            state.withLock({ $0.deletedNotebooks.contains(notebook) })
        {
            json[JournalSteps.notebookKey] = .null
        }
        return try json.json()
    }

    /// As a server does whose table of entries has a foreign key.
    private func unlink(_ notebook: String) {
        state.withLock { _ = $0.deletedNotebooks.insert(notebook) }
        let path = JournalCollection.entries.rawValue
        for record in memory.server.collections[path]?.records ?? []
        where record.json[JournalSteps.notebookKey] == .string(notebook) {
            memory.edit(record.key, of: path, [JournalSteps.notebookKey: .null])
        }
    }

    /// Responses that are kept for creations that are sent again are in the form of their time, unless the server makes
    /// them anew.
    private func inCurrentForm(_ response: SendResponse, _ collection: JournalCollection) throws -> SendResponse {
        guard !replaysResponses, case .accepted(let body?, let version, let identity) = response, !body.isEmpty else {
            return response
        }
        let json = try JSONValue(json: body)
        guard case .object = json else { return response }
        let current = try JournalSteps.record(json, of: collection, to: self.version).json()
        return .accepted(body: current, version: version, identity: identity)
    }
}

/// The changes of a device as they leave it.
struct JournalExit: Remote {
    let network: any Remote
    let server: JournalServer
    let device: String

    var traits: RemoteTraits { network.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { try await network.fetch(request) }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        try server.check(change, from: device)
        return try await network.send(change)
    }
}

/// A device's way to the server.
struct JournalDoor: Remote {
    let server: JournalServer
    let device: String
    let trace: VersionTrace

    var traits: RemoteTraits { server.memory.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let response = try await server.memory.fetch(request)
        let outcome =
            switch response {
            case .records: "records"
            case .notModified: "not modified"
            case .gone: "gone"
            case .expired: "expired"
            case .absent: "absent"
            }
        trace.note("\(device) fetches \(request.entity.path): \(outcome)")
        return response
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let response = try await server.send(change, from: device)
        let body = String(decoding: change.kind == .update ? change.changes : change.body, as: UTF8.self)
        trace.note(
            "\(device) \(change.kind)s \(change.entity.path)/\(change.identity?.text ?? "") \(body): \(text(response))")
        return response
    }

    private func text(_ response: SendResponse) -> String {
        switch response {
        case .accepted: "accepted"
        case .absent: "absent"
        case .outdated: "outdated"
        case .refused(let status, _): "refused \(status)"
        case .unavailable(let status, _): "unavailable \(status)"
        }
    }
}
