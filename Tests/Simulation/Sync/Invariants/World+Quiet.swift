import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting

extension World {
    /// So often everybody pushes and pulls until nothing changes any more. Two rounds do where nobody waits for
    /// another.
    private static let roundLimit = 16

    /// No more faults: everyone is online, and syncs until nothing changes. Then all that must hold is checked.
    func becomeQuiet() async throws {
        trace.note("— all becomes quiet —")
        server.door.withLock { $0 = true }
        server.lagLists(bySeconds: 0)
        server.isMended.withLock { $0 = true }
        server.isSignedOut.withLock { $0 = false }
        for device in devices {
            // What was stored while it was wrong holds nothing back.
            device.clock.set(skew: 0)
            device.network.faults = .none
            device.network.goOnline()
            await device.network.deliverLate()
        }
        try await settle()
        try await checkOutboxes()
        try await checkDevices(isFinal: false)
        try await checkPromises()
        try await discardParked()
        try await settle()
        try await checkEverything()
    }

    private func settle() async throws {
        for round in 1...Self.roundLimit {
            // Longer than any delay.
            clock.advance(by: RetrySchedule.longestDelaySeconds)
            let before = try await state()
            trace.note("round \(round)")
            for device in devices {
                try await exchange(device)
                try device.checkStore()
            }
            if try await state() == before { return }
        }
        throw Violation(
            rule: 4,
            what: "after \(Self.roundLimit) rounds in which everybody pushed and pulled something still changes")
    }

    private struct State: Equatable {
        var devices: [Snapshot]
        var changeCount: Int
    }

    private func state() async throws -> State {
        var state = State(devices: [], changeCount: server.changes.count)
        for device in devices { state.devices.append(try await device.snapshot()) }
        return state
    }

    private func exchange(_ device: Device) async throws {
        stepNumber += 1
        try await hearAll(device)
        try await push(device, killedAfter: nil)
        trace.step(stepNumber, device.name, "pulls everything")
        let names = Set(domain.entities.map(\.name))
        for type in device.sync.syncedTypes where names.contains(type.entity.name) {
            try await sync(device, killedAfter: nil, isPull: true) {
                try await Self.pull(type, device, deletes: true)
            }
        }
    }

    private func discardParked() async throws {
        for device in devices {
            let before = try await device.snapshot()
            guard !before.pending.isEmpty else { continue }
            trace.note("\(device.name) discards \(before.pending.count) parked changes")
            try await device.store.outbox.discardAll()
            forgetPromises(device, before, try await device.snapshot())
            // What is discarded was discarded for what the server had then.
            try await device.sync.forgetValidators()
        }
    }
}

extension RetrySchedule {
    /// No delay of any schedule here is longer, in seconds: what a server says in its `Retry-After` included.
    static let longestDelaySeconds: TimeInterval = 1_000
}
