import LockstepStore
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("C2 Three-way decisions per column")
struct ThreeWayTests {
    /// One column each, a composite key in columns 3 and 4, and its position in 5.
    private let shape = ColumnUnits(
        units: [[0], [1], [2], [3, 4], [5]], positions: [(position: 5, foreignKey: [3, 4])])

    private func decide(
        base: [Int]?, local: [Int], remote: [Int?], _ side: ThreeWay<Int>.Side = .local
    ) -> (kept: [Int], conflicts: [Int]) {
        let decision = ThreeWay(base: base, local: local, remote: remote) { $1 == $2 }.decide(shape) { side }
        return ((0..<6).filter(decision.kept.contains), (0..<6).filter(decision.conflicts.contains))
    }

    @Test("C2 A change on one side only is kept")
    func oneSide() {
        let decision = decide(base: [0, 0, 0, 0, 0, 0], local: [1, 0, 0, 0, 0, 0], remote: [0, 1, 0, 0, 0, 0])
        #expect(decision.kept == [0] && decision.conflicts.isEmpty)
    }

    @Test("C1 Different changes on both sides are a conflict", arguments: [true, false])
    func bothSides(isHere: Bool) {
        let decision = decide(
            base: [0, 0, 0, 0, 0, 0], local: [1, 1, 0, 0, 0, 0], remote: [2, 1, 0, 0, 0, 0], isHere ? .local : .remote)
        #expect(decision.kept == (isHere ? [0] : []) && decision.conflicts == [0])
    }

    @Test("M1 Values missing from the payload are kept without a conflict")
    func missing() {
        let decision = decide(
            base: [0, 0, 0, 0, 0, 0], local: [1, 0, 0, 0, 0, 0], remote: [nil, 1, nil, nil, nil, nil])
        #expect(decision.kept.isEmpty && decision.conflicts.isEmpty)
    }

    @Test("C2 Without a base, every difference is a conflict")
    func noBase() {
        let decision = decide(base: nil, local: [1, 0, 0, 0, 0, 0], remote: [2, 0, nil, 0, 0, 0])
        #expect(decision.kept == [0] && decision.conflicts == [0])
    }

    @Test("C2 The columns of a key are decided together with the position")
    func keys() {
        // Changed locally to (1, 1), on the server to (9, 0); the base is (0, 0).
        let base = [0, 0, 0, 0, 0, 0]
        let here = decide(base: base, local: [0, 0, 0, 1, 1, 0], remote: [0, 0, 0, 9, 0, 4])
        #expect(here.kept == [3, 4, 5] && here.conflicts == [3, 4])
        let there = decide(base: base, local: [0, 0, 0, 1, 1, 0], remote: [0, 0, 0, 9, 0, 4], .remote)
        #expect(there.kept.isEmpty && there.conflicts == [3, 4])
    }

    @Test("C1 The policy is called once, and only if there is a conflict")
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
