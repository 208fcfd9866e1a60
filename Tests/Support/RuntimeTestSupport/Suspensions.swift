package import GRDB

/// Runs tests that announce a suspension one after the other, and gives them the configuration of stores that observe
/// it.
///
/// An announcement concerns every such store of the process, so no other test may have one.
package func announcingSuspensions(
    isolation: isolated (any Actor)? = #isolation, _ body: (Configuration) async throws -> Void
) async rethrows {
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    await Turns.suspensions.begin()
    do { try await body(configuration) } catch {
        await Turns.suspensions.end()
        throw error
    }
    await Turns.suspensions.end()
}

private actor Turns {
    static let suspensions = Turns()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
    }

    func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
