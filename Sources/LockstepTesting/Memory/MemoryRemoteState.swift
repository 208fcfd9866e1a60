import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem

/// The state of an in-memory server: its records, its subscribers, and its scripts.
struct MemoryRemoteState {
    var server = ServerState()
    var log: [RemoteCall] = []
    var scripts: [(filter: RemoteCallFilter, response: ScriptedResponse)] = []
    var listeners: [Int: Listener] = [:]
    /// The numbers of the first call in the log, and of the last call.
    var firstCall = 1
    var lastCall = 0
    var lastListener = 0

    struct Listener {
        let path: String
        let continuation: AsyncThrowingStream<RemoteEvent, any Error>.Continuation
    }

    func call(_ number: Int) -> RemoteCall? {
        log.indices.contains(number - firstCall) ? log[number - firstCall] : nil
    }

    mutating func takeScript(for call: Int) -> ScriptedResponse? {
        guard let call = self.call(call), let index = scripts.firstIndex(where: { $0.filter.includes(call) }) else {
            return nil
        }
        return scripts.remove(at: index).response
    }

    /// Notifies subscribers of an event.
    func notify(changesFrom start: Int, dialect: MemoryDialect) {
        for change in server.changes[start...] {
            for (_, listener) in listeners.sorted(by: { $0.key < $1.key }) where listener.path == change.path {
                if let event = event(of: change, dialect: dialect) { listener.continuation.yield(event) }
            }
        }
    }

    private func event(of change: ServerChange, dialect: MemoryDialect) -> RemoteEvent? {
        guard let key = change.key else { return nil }
        let record = server.collections[change.path]?[key]
        switch change.kind {
        case .deleted: return .deleted([RemoteIdentity([identity(key)])])
        case .updated:
            guard case .object = change.json, let record, record.json != change.json else { fallthrough }
            return (try? JSONValue.object([key: change.json]).json()).map(RemoteEvent.patched)
        case .created: return record.flatMap { try? dialect.shaped([$0]).json() }.map(RemoteEvent.changed)
        }
    }

    /// A key as JSON: a number if it is one.
    private func identity(_ key: String) -> JSONValue { Int64(key).map(JSONValue.integer) ?? .string(key) }
}

extension MemoryRemote {
    /// Appends a call to the log, and returns its number.
    func begin(_ call: RemoteCall) -> Int {
        state.withLock { state in
            state.lastCall += 1
            state.log.append(call)
            return state.lastCall
        }
    }

    func finish(_ call: Int, outcome: String) {
        state.withLock { state in
            guard state.log.indices.contains(call - state.firstCall) else { return }
            state.log[call - state.firstCall].outcome = outcome
        }
    }

    /// Runs a call, and records how it failed.
    func failing<Value>(_ call: Int, body: () async throws -> Value) async throws -> Value {
        do {
            try Task.checkCancellation()
            return try await body()
        } catch {
            finish(call, outcome: (error as? SyncError).map { "\($0.code)" } ?? "cancelled")
            throw error
        }
    }

    /// A stream that starts with all records of the collection.
    func listen(to path: String) -> AsyncThrowingStream<RemoteEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream<RemoteEvent, any Error>.makeStream()
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = .init(path: path, continuation: continuation)
            let listed = state.server.listed(path, filters: [], from: 0, count: nil, isReversed: true)
            let snapshot = dialect.shaped(listed.records)
            if let bytes = try? snapshot.json() { continuation.yield(.snapshot(bytes)) }
            return state.lastListener
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }
}
