import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import TestSupport

extension World {
    func push(_ device: Device, killedAfter statements: Int?) async throws {
        trace.step(stepNumber, device.name, "pushes")
        try await sync(device, killedAfter: statements, isPull: false) {
            try await device.crossing.pacing { try await device.sync.push() }.description
        }
    }

    func pull(_ device: Device, killedAfter statements: Int?, _ random: inout SeededRandom) async throws {
        let entity = random.element(of: domain.followed)
        let deletes = random.isOne(in: 2)
        trace.step(stepNumber, device.name, "pulls \(entity.name)\(deletes ? " and deletes what is gone" : "")")
        let type = entity.type
        if random.isOne(in: 2) {
            let edits = pageTurn(entity, &random)
            server.betweenPages.withLock { $0 = edits }
        }
        defer { server.betweenPages.withLock { $0 = [] } }
        let (before, there) = (try await device.snapshot(), server.keys(of: entity))
        try await sync(device, killedAfter: statements, isPull: true) {
            try await Self.pull(type, device, deletes: deletes)
        }
        try checkLiving(
            device, entity, there.intersection(server.keys(of: entity)), before, try await device.snapshot())
    }

    static func pull<Object: Model>(_ type: Object.Type, _ device: Device, deletes: Bool) async throws -> String {
        try await device.sync.pull(type, options: device.options(deletes: deletes)).description
    }

    /// Fetches one record that is here.
    func pullOne(_ device: Device, killedAfter statements: Int?, _ random: inout SeededRandom) async throws {
        let entity = random.element(of: domain.followed)
        let snapshot = try await device.snapshot()
        let keys = (snapshot.rows[entity.table] ?? [:]).keys.sorted()
        guard !keys.isEmpty else { return }
        let key = random.element(of: keys)
        trace.step(stepNumber, device.name, "fetches \(entity.name) \(key)")
        let type = entity.type
        try await sync(device, killedAfter: statements, isPull: true) { try await Self.pullOne(type, key, device) }
    }

    private static func pullOne<Object: Model>(_ type: Object.Type, _ key: String, _ device: Device) async throws
        -> String
    {
        let identity = try await device.store.perform { context in
            try context.fetch(Object.all()).first { $0.recordKey.text == key }?.wireIdentity
        }
        guard let identity else { return "it has no identity there" }
        return try await device.sync.pull(type, id: identity, options: device.options(deletes: false)).description
    }

    /// Fetches the children of one parent, by a query.
    func pullScoped(_ device: Device, killedAfter statements: Int?, _ random: inout SeededRandom) async throws {
        let children = domain.followed.filter { !$0.links.isEmpty }
        let snapshot = try await device.snapshot()
        guard scenario.server != .firebase, !children.isEmpty else { return }
        let entity = random.element(of: children)
        let link = entity.links[0]
        let deletes = random.isOne(in: 2)
        guard let parent = domain.entity(link.destination), !parent.isServerMade else { return }
        let keys = (snapshot.rows[parent.table] ?? [:]).keys.sorted()
        guard !keys.isEmpty else { return }
        let query = [URLQueryItem(name: link.key, value: random.element(of: keys))]
        trace.step(
            stepNumber, device.name,
            "pulls \(entity.name) of \(parent.name) \(query[0].value ?? "")\(deletes ? " and deletes what is gone" : "")"
        )
        let type = entity.type
        try await sync(device, killedAfter: statements, isPull: true) {
            try await Self.pull(type, device, query, deletes: deletes)
        }
    }

    private static func pull<Object: Model>(
        _ type: Object.Type, _ device: Device, _ query: [URLQueryItem], deletes: Bool
    ) async throws -> String {
        try await device.sync.pull(type, query: query, options: device.options(deletes: deletes)).description
    }

    // MARK: Around each

    /// Runs an operation of a device's sync, and checks what must hold after any.
    ///
    /// - Parameter isTold: Whether a stream tells the device what it merges.
    func sync(
        _ device: Device, killedAfter statements: Int?, isPull: Bool, isTold: Bool = false,
        _ body: () async throws -> String
    ) async throws {
        let before = try await device.snapshot()
        _ = device.responses.take()
        var problem: String?
        let wasKilled = try await device.live(killedAfter: statements) {
            do {
                let outcome = try await body()
                trace.note(outcome.replacingOccurrences(of: "\n", with: "; "))
            } catch let error as SyncError {
                problem = "\(error.code)"
            } catch let error as MergeError {
                problem = "\(error)"
            }
        }
        if let problem { trace.note("it ends with \(problem)") }
        let after = try await device.snapshot()
        members.look(at: after, of: device.name, domain)
        let responses = device.responses.take()
        try checkNothingLost(device, before, after, isPull: isPull)
        try checkVersions(device, after)
        try checkReasons(device, after)
        if responses == 0 || (isPull && problem != nil && scenario.pageSize == nil && !wasKilled) {
            try checkUnchanged(device, before, after)
        }
        reconcilePromises(device, before, after)
        noteReadings(device, before, after, isTold: isTold)
    }
}
