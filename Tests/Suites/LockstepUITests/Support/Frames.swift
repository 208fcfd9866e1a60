import Observation

/// A view: what it reads, and how often that was invalidated. It reads again after each invalidation.
@MainActor
final class Frames<Value> {
    private(set) var values: [Value] = []
    private(set) var invalidationCount = 0
    private let body: () -> Value

    init(_ body: @escaping () -> Value) {
        self.body = body
        draw()
    }

    /// Reads what a view reads in its body.
    func draw() {
        values.append(
            withObservationTracking(body) { [weak self] in
                let frames = self
                MainActor.assumeIsolated { frames?.invalidationCount += 1 }
            })
    }
}
