import LockstepStore
import Testing

@testable import LockstepMerge

@Suite("C2 The decision about columns")
struct ThreeWayTests {
    /// One column each, a key of two columns in 3 and 4, and its place in 5.
    private let shape = ColumnUnits(
        units: [[0], [1], [2], [3, 4], [5]], positions: [(position: 5, foreignKey: [3, 4])])

    private func decide(
        base: [Int]?, local: [Int], remote: [Int?], _ side: ThreeWay<Int>.Side = .local
    ) -> (kept: [Int], conflicts: [Int]) {
        let decision = ThreeWay(base: base, local: local, remote: remote) { $1 == $2 }.decide(shape) { side }
        return ((0..<6).filter(decision.kept.contains), (0..<6).filter(decision.conflicts.contains))
    }

    @Test("C2 What only one side has changed counts from that side")
    func oneSide() {
        let decision = decide(base: [0, 0, 0, 0, 0, 0], local: [1, 0, 0, 0, 0, 0], remote: [0, 1, 0, 0, 0, 0])
        #expect(decision.kept == [0] && decision.conflicts.isEmpty)
    }

    @Test("C1 What both have changed to different values is a conflict", arguments: [true, false])
    func bothSides(isHere: Bool) {
        let decision = decide(
            base: [0, 0, 0, 0, 0, 0], local: [1, 1, 0, 0, 0, 0], remote: [2, 1, 0, 0, 0, 0], isHere ? .local : .remote)
        #expect(decision.kept == (isHere ? [0] : []) && decision.conflicts == [0])
    }

    @Test("M1 What the server does not say stays, and is no conflict")
    func missing() {
        let decision = decide(
            base: [0, 0, 0, 0, 0, 0], local: [1, 0, 0, 0, 0, 0], remote: [nil, 1, nil, nil, nil, nil])
        #expect(decision.kept.isEmpty && decision.conflicts.isEmpty)
    }

    @Test("C2 Without a base all that differs is a conflict")
    func noBase() {
        let decision = decide(base: nil, local: [1, 0, 0, 0, 0, 0], remote: [2, 0, nil, 0, 0, 0])
        #expect(decision.kept == [0] && decision.conflicts == [0])
    }

    @Test("C2 The columns of one key are decided together, and the place goes with them")
    func keys() {
        // Here to (1, 1), there to (9, 0) of what was (0, 0).
        let base = [0, 0, 0, 0, 0, 0]
        let here = decide(base: base, local: [0, 0, 0, 1, 1, 0], remote: [0, 0, 0, 9, 0, 4])
        #expect(here.kept == [3, 4, 5] && here.conflicts == [3, 4])
        let there = decide(base: base, local: [0, 0, 0, 1, 1, 0], remote: [0, 0, 0, 9, 0, 4], .remote)
        #expect(there.kept.isEmpty && there.conflicts == [3, 4])
    }

    @Test("C1 The winner is asked once, and only where there is a conflict")
    func askedOnce() {
        var count = 0
        let base = [0, 0, 0, 0, 0, 0]
        let quiet = ThreeWay(base: base, local: [1, 0, 0, 0, 0, 0], remote: [0, 1, 0, 0, 0, 0]) { $1 == $2 }
        _ = quiet.decide(shape) {
            count += 1
            return .local
        }
        #expect(count == 0)
        let loud = ThreeWay(base: base, local: [1, 1, 0, 0, 0, 0], remote: [2, 2, 0, 0, 0, 0]) { $1 == $2 }
        _ = loud.decide(shape) {
            count += 1
            return .local
        }
        #expect(count == 1)
    }
}
