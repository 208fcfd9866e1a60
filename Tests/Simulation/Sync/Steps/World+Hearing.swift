import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport

extension World {
    /// A device hears of what has happened on the server since it heard last, as its live stream would tell it: the
    /// changes in their order, or everything anew where the stream broke in between.
    func hear(_ device: Device, killedAfter statements: Int?, _ random: inout SeededRandom) async throws {
        let isBroken = random.isOne(in: 4)
        let limit = Int.random(in: 1...12, using: &random)
        let echo = random.isOne(in: 3) ? Int.random(in: 1...8, using: &random) : 0
        guard device.network.isOnline else { return }
        let changes = server.changes
        // What was told and not confirmed is told again, deletions too.
        if echo > 0, !isBroken, !scenario.withoutTroubles.contains(.echo) {
            device.heardChanges = max(0, device.heardChanges - echo)
            trace.note("the last \(echo) are told again")
        }
        trace.step(stepNumber, device.name, isBroken ? "listens anew" : "hears of changes")
        var events: [(DomainEntity, RemoteEvent)] = []
        if isBroken {
            for entity in domain.followed {
                events.append((entity, .snapshot(try server.body(of: entity).json.json())))
            }
            device.heardChanges = changes.count
        } else {
            let heard = changes[device.heardChanges...].prefix(limit)
            device.heardChanges += heard.count
            events = try heard.compactMap(event)
        }
        try await apply(events, to: device, killedAfter: statements)
    }

    /// Lets a device hear the rest.
    func hearAll(_ device: Device) async throws {
        let changes = server.changes
        let events = try changes[device.heardChanges...].compactMap(event)
        device.heardChanges = changes.count
        try await apply(events, to: device, killedAfter: nil)
    }

    private func apply(
        _ events: [(DomainEntity, RemoteEvent)], to device: Device, killedAfter statements: Int?
    ) async throws {
        for (entity, event) in events {
            let life = device.life
            try await sync(device, killedAfter: statements, isPull: true, isTold: true) {
                device.responses.add()
                try await device.sync.handle(event, of: entity.type, options: device.options(deletes: true))
                return "hears \(entity.path) \(event.text)"
            }
            // The stream is gone with the device, and so is what it had not applied: it listens anew then.
            if device.life > life {
                device.heardChanges = server.changes.count
                for entity in domain.followed {
                    let snapshot = RemoteEvent.snapshot(try server.body(of: entity).json.json())
                    try await apply([(entity, snapshot)], to: device, killedAfter: nil)
                }
                return
            }
        }
    }

    private func event(_ change: ServerChange) throws -> (DomainEntity, RemoteEvent)? {
        guard let entity = domain.entity(at: change.path), let key = change.key else { return nil }
        switch change.kind {
        case .deleted: return (entity, .deleted([RemoteIdentity([identity(key, entity)])]))
        case .created, .updated:
            // What the stream tells of a record is what was written, with its identity.
            var record = change.json
            // The version in it is the one that the write was made to; the next one is the server's to tell.
            if let key = entity.plan.versionColumn.flatMap({ entity.plan.columns[$0].wire?.path.first }) {
                record[key] = nil
            }
            tellMembers(in: &record, key, entity)
            if case .map = server.body(of: entity).shape {
                let json = try JSONValue.object([key: record]).json()
                // A whole record has its identity, and what it lacks is not there.
                return (entity, record[entity.identityKey] == nil ? .patched(json) : .changed(json))
            }
            record[entity.identityKey] = identity(key, entity)
            return (entity, .changed(try JSONValue.array([record]).json()))
        }
    }

    /// Of records inside of others the server tells what it has, not what it was sent.
    private func tellMembers(in record: inout JSONValue, _ key: String, _ entity: DomainEntity) {
        for container in domain.members(of: entity).compactMap(\.container) {
            guard record[container.sentList] != nil || record[container.list] != nil else { continue }
            record[container.sentList] = nil
            record[container.list] = server.records(of: entity).first { $0.key == key }?.json[container.list]
        }
    }

    private func identity(_ key: String, _ entity: DomainEntity) -> JSONValue {
        let column = entity.plan.remoteColumn ?? entity.plan.keyColumns[0]
        if case .int = entity.plan.columns[column].type, let number = Int64(key) { return .integer(number) }
        return .string(key)
    }
}

extension RemoteEvent {
    fileprivate var text: String {
        switch self {
        case .snapshot(let json): "all: \(String(decoding: json, as: UTF8.self))"
        case .changed(let json): "changed \(String(decoding: json, as: UTF8.self))"
        case .patched(let json): "patched \(String(decoding: json, as: UTF8.self))"
        case .deleted(let identities): "deleted \(identities.map(\.text).joined(separator: ", "))"
        }
    }
}
