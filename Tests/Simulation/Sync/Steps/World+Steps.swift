import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport

extension World {
    /// Does the step with a number. What it is depends on the seed, the number and what there is, and on no other step.
    func step(_ number: Int) async throws {
        stepNumber = number
        clock.advance(by: 1)
        guard !scenario.skipped.contains(number) else { return }
        defer { members.look(at: server) }
        try await act(number)
        for device in devices { try device.checkStore() }
    }

    private func act(_ number: Int) async throws {
        var random = SeededRandom(seed: scenario.seed &* 1_000_003 &+ UInt64(number) &* 7_919)
        let device = devices[Int.random(in: devices.indices, using: &random)]
        let kill = random.isOne(in: 7) ? Int.random(in: 1...Self.killRange(&random), using: &random) : nil
        let statements = scenario.withoutTroubles.contains(.kill) ? nil : kill
        switch Int.random(in: 0..<100, using: &random) {
        case ..<40: try await editLocally(device, killedAfter: statements, &random)
        case ..<58: try await push(device, killedAfter: statements)
        case ..<72: try await pull(device, killedAfter: statements, &random)
        case ..<78: try await hear(device, killedAfter: statements, &random)
        case ..<80: try await pullOne(device, killedAfter: statements, &random)
        case ..<82: try await pullScoped(device, killedAfter: statements, &random)
        case ..<89: editOnServer(&random)
        case ..<91: toggleOnline(device)
        case ..<93: random.isOne(in: 3) ? toggleSession() : toggleServer()
        case ..<95: random.isOne(in: 3) ? setClock(device, &random) : passTime(&random)
        default: try await settleParked(device, &random)
        }
    }

    /// Some operations have few statements, some have many.
    private static func killRange(_ random: inout SeededRandom) -> Int { random.element(of: [4, 12, 30, 80]) }

    // MARK: The world around

    private func toggleOnline(_ device: Device) {
        guard !scenario.withoutTroubles.contains(.offline) else { return }
        if device.network.isOnline { device.network.goOffline() } else { device.network.goOnline() }
        trace.step(stepNumber, device.name, device.network.isOnline ? "is online" : "is offline")
    }

    private func toggleServer() {
        guard !scenario.withoutTroubles.contains(.restart) else { return }
        let isUp = server.door.withLock { isUp in
            isUp.toggle()
            return isUp
        }
        trace.step(stepNumber, "The server", isUp ? "runs again" : "stops")
    }

    private func toggleSession() {
        guard !scenario.withoutTroubles.contains(.session) else { return }
        let isSignedOut = server.isSignedOut.withLock { isSignedOut in
            isSignedOut.toggle()
            return isSignedOut
        }
        trace.step(stepNumber, "The server", isSignedOut ? "shows its sign-in page" : "knows everybody again")
    }

    /// A device's clock is corrected, or it is set wrong by years.
    private func setClock(_ device: Device, _ random: inout SeededRandom) {
        guard !scenario.withoutTroubles.contains(.clocks) else { return }
        let seconds = random.element(of: [0, 0, Self.wrongSeconds, -Self.wrongSeconds])
        device.clock.set(skew: seconds)
        device.clockSetAt = clock.now
        trace.step(stepNumber, device.name, "has its clock set (\(Int(seconds)) s)")
    }

    /// Four years.
    private static let wrongSeconds = 4 * 365 * 86_400.0

    private func passTime(_ random: inout SeededRandom) {
        let seconds = random.element(of: [5.0, 60, 600, 86_400])
        clock.advance(by: seconds)
        trace.step(stepNumber, "Time passes:", "\(Int(seconds)) s")
    }
}
