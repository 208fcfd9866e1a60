/// Runs tests that announce a suspension one after the other: it concerns every store of the process that observes it.
public func announcingSuspensions(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows {
    await Turns.suspensions.begin()
    do { try await body() } catch {
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
