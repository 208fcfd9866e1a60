public import Foundation
import Journal
import LockstepStore
public import LockstepSync
import OfflineTasks
import Shop

/// What an app does that meets such a server, and how that ends.
public struct Meeting: Sendable {
    private let hostility: Hostility
    private let extent: Extent
    private let address: URL
    private let folder: URL
    private let clock: (any SyncClock)?

    /// - Parameters:
    ///   - folder: Where its store is to be.
    ///   - clock: The time; `nil` for the system's.
    public init(_ hostility: Hostility, _ extent: Extent, port: Int, folder: URL, clock: (any SyncClock)? = nil) {
        self.hostility = hostility
        self.extent = extent
        address = URL(string: "http://127.0.0.1:\(port)")!
        self.folder = folder
        self.clock = clock
    }

    private var client: URLSessionClient {
        // A clock that is moved on would find a pause between two pieces long.
        let timeouts = clock == nil ? HTTPTimeouts() : HTTPTimeouts(responseSeconds: nil, idleSeconds: nil)
        return URLSessionClient(
            timeouts: timeouts,
            limits: HTTPLimits(bodyBytes: extent.bodyBytes, speedWindowSeconds: extent.speedWindowSeconds),
            clock: clock)
    }

    private func store(_ schema: any StoreSchema.Type) throws -> Store {
        try Store(schema, at: .file(folder.appendingPathComponent("\(schema.name).sqlite")))
    }

    /// Meets the server.
    ///
    /// - Parameter enough: Ends when what goes on by itself is to be cancelled.
    /// - Returns: How it ended.
    public func run(until enough: @escaping @Sendable () async throws -> Void) async throws -> String {
        do {
            switch hostility {
            case .events, .line, .dataLine, .data, .comments, .ids: return try await follow(until: enough)
            case .retryAfter: return try await push()
            case .uuids: return try await pull(JournalSchema.self, Entry.self)
            case .remoteIdentities: return try await pull(OfflineTasksSchema.self, OfflineTasks.Task.self)
            case .file: return try await mergeFile()
            default: return try await pull(ShopSchema.self, Article.self)
            }
        } catch let error as SyncError {
            return "\(error.code): \(error.reason)"
        } catch let error as MergeError {
            return "\(error.code): \(error.reason)"
        }
    }

    private func pull<Object: Model>(_ schema: any StoreSchema.Type, _ type: Object.Type) async throws -> String {
        let remote = RESTRemote(address, client: client)
        let sync = Sync(store: try store(schema), remote: remote, limits: PullLimits(pages: extent.pages))
        var options = MergeOptions()
        if hostility == .pages { options.records = .all }
        let summary = try await sync.pull(type, options: options)
        let skipped = summary.merges.reduce(0) { $0 + $1.entities.reduce(0) { $0 + $1.skipped } }
        return "\(summary.inserted) inserted" + (skipped > 0 ? ", \(skipped) skipped" : "")
    }

    private func mergeFile() async throws -> String {
        let file = folder.appendingPathComponent("payload.json")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var maker = RecordMaker(.file)
        _ = maker.write(upTo: extent.bodyBytes / 4) { piece in (try? handle.write(contentsOf: piece)) != nil }
        try handle.close()
        return "\(try await store(ShopSchema.self).merge(contentsOf: file, into: Article.self).inserted) inserted"
    }

    /// Stays in step with all collections, until it is enough.
    private func follow(until enough: @escaping @Sendable () async throws -> Void) async throws -> String {
        let remote = FirebaseRemote(
            address, client: client,
            eventLimits: EventStreamLimits(lineBytes: extent.lineBytes, eventBytes: extent.eventBytes))
        let sync = Sync(store: try store(ShopSchema.self), remote: remote)
        let running = _Concurrency.Task { try await sync.run() }
        let problem = _Concurrency.Task {
            for await status in sync.status {
                if let error = status.error { return "\(error.code): \(error.reason); " }
            }
            return ""
        }
        if hostility == .events { try await enough() } else { _ = await problem.value }
        let start = Date()
        running.cancel()
        try await running.value
        problem.cancel()
        return await problem.value + "cancelled within \(Int(Date().timeIntervalSince(start).rounded(.up))) s"
    }

    private func push() async throws -> String {
        let store = try store(OfflineTasksSchema.self)
        try await store.perform { context in
            OfflineTasks.Task(title: "Bread", context: context)
            try context.save()
        }
        let clock = clock ?? SystemClock()
        let sync = Sync(store: store, remote: RESTRemote(address, client: client, clock: clock), clock: clock)
        let running = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1_000_000)) }
        defer { running.cancel() }
        for await status in sync.status {
            guard let until = status.retryDate, let error = status.error else { continue }
            return "\(error.code), waits \(Int((until.timeIntervalSince(clock.now) / 3600).rounded())) h"
        }
        return "nothing happened"
    }
}
