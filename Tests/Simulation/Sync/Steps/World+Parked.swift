import LockstepStore
import LockstepSync
import TestSupport

extension World {
    /// A person looks at what the server has refused: fixes it, tries it again, or gives it up.
    func settleParked(_ device: Device, _ random: inout SeededRandom) async throws {
        let before = try await device.snapshot()
        let isDiscarded = random.isOne(in: 2)
        let discardsAny = random.isOne(in: 4)
        let discardsAll = random.isOne(in: 8)
        let pending = try await device.store.outbox.pending().filter { $0.parked != nil || discardsAny || discardsAll }
        guard !pending.isEmpty else { return }
        if discardsAll {
            trace.step(stepNumber, device.name, "discards everything")
            try await device.store.outbox.discardAll()
            return forgetPromises(device, before, try await device.snapshot())
        }
        let change = random.element(of: pending)
        if isDiscarded || discardsAny {
            trace.step(stepNumber, device.name, "discards the change of \(change.entity) \(change.record)")
            try await device.store.outbox.discard(change)
        } else {
            trace.step(stepNumber, device.name, "retries the change of \(change.entity) \(change.record)")
            try await device.store.outbox.retry(change)
        }
        forgetPromises(device, before, try await device.snapshot())
    }
}
