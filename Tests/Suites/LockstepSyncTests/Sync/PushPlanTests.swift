import Foundation
import Testing

@testable import LockstepSync

/// The order of a push, as values.
@Suite("The plan of a push")
struct PushPlanTests {
    private let now = Date(timeIntervalSince1970: 1_000)

    /// The ids in the order in which they are sent, if all are accepted.
    private func sent(_ items: [PushPlan.Item]) -> [Int64] {
        var plan = PushPlan(items)
        var ids: [Int64] = []
        while let place = plan.next(at: now) {
            ids.append(plan.items[place].id)
            plan.finish(place)
        }
        return ids
    }

    @Test("P2 The order of many cycles in one another is found")
    func nestedCycles() {
        // Albums, each with a cover and a banner in the next one, and a thumbnail in the one before. If the work doubled
        // with each album, this would not end.
        let count = 64
        let items = (0..<count).flatMap { index -> [PushPlan.Item] in
            let (id, place) = (Int64(index * 10), index * 4)
            let hasNext = index + 1 < count
            return [
                PushPlan.Item(
                    id: id, prefers: (hasNext ? [place + 1, place + 2] : []) + (index > 0 ? [place + 3] : [])),
                PushPlan.Item(id: id + 1, requires: hasNext ? [place + 4] : []),
                PushPlan.Item(id: id + 2, requires: hasNext ? [place + 4] : []),
                PushPlan.Item(id: id + 3, requires: index > 0 ? [place - 4] : []),
            ]
        }
        let order = PushPlan(items).order
        #expect(order.sorted() == Array(items.indices))
        var places = [Int](repeating: 0, count: items.count)
        for (place, index) in order.enumerated() { places[index] = place }
        for (index, item) in items.enumerated() {
            #expect(item.requires.allSatisfy { places[$0] < places[index] })
        }
    }

    @Test("P2 Changes are sent in the order in which they were made")
    func inOrder() {
        #expect(sent([PushPlan.Item(id: 3), PushPlan.Item(id: 1), PushPlan.Item(id: 2)]) == [1, 2, 3])
    }

    @Test("P2 Dependencies of a change are sent before it, and the others keep their order")
    func requiredFirst() {
        let items = [
            PushPlan.Item(id: 1, requires: [2]), PushPlan.Item(id: 2), PushPlan.Item(id: 3),
            PushPlan.Item(id: 4, requires: [0]),
        ]
        #expect(sent(items) == [3, 1, 2, 4])
    }

    @Test("P2 A cycle is broken up, and all of it is sent")
    func ring() {
        let items = [
            PushPlan.Item(id: 1, requires: [1]), PushPlan.Item(id: 2, requires: [2]),
            PushPlan.Item(id: 3, requires: [0]),
        ]
        #expect(sent(items) == [3, 2, 1])
    }

    @Test("P2 What is only preferred comes first, unless it requires what prefers it")
    func preferred() {
        #expect(sent([PushPlan.Item(id: 1, prefers: [1]), PushPlan.Item(id: 2)]) == [2, 1])
        #expect(sent([PushPlan.Item(id: 1, prefers: [1]), PushPlan.Item(id: 2, requires: [0])]) == [1, 2])
        let items = [
            PushPlan.Item(id: 1, prefers: [1]), PushPlan.Item(id: 2, requires: [2]),
            PushPlan.Item(id: 3, requires: [0], prefers: [3]), PushPlan.Item(id: 4),
        ]
        #expect(sent(items) == [1, 4, 3, 2])
        // Where it begins makes no difference.
        let later = [PushPlan.Item(id: 1, requires: [1]), PushPlan.Item(id: 2, prefers: [0])]
        #expect(sent(later) == [2, 1])
        #expect(sent([PushPlan.Item(id: 1, prefers: [1]), PushPlan.Item(id: 2, prefers: [0])]) == [2, 1])
    }

    @Test("P2 P8 A parked change that is preferred holds back what it does not require")
    func parkedPreferred() {
        #expect(sent([PushPlan.Item(id: 1, prefers: [1]), PushPlan.Item(id: 2, isHeld: true)]) == [])
        let ring = [PushPlan.Item(id: 1, prefers: [1]), PushPlan.Item(id: 2, requires: [0], isHeld: true)]
        #expect(sent(ring) == [1])
    }

    @Test("P8 Only dependents of a parked change wait")
    func parked() {
        let items = [
            PushPlan.Item(id: 1, isHeld: true), PushPlan.Item(id: 2, requires: [0]),
            PushPlan.Item(id: 3, requires: [1]), PushPlan.Item(id: 4),
        ]
        #expect(sent(items) == [4])
    }

    @Test("P7 A change that waits for its time is skipped, with its dependents")
    func waiting() {
        let items = [
            PushPlan.Item(id: 1, retryAt: now.addingTimeInterval(5)), PushPlan.Item(id: 2, requires: [0]),
            PushPlan.Item(id: 3, retryAt: now.addingTimeInterval(-5)),
        ]
        var plan = PushPlan(items)
        #expect(plan.next(at: now) == 2)
        plan.finish(2)
        #expect(plan.next(at: now) == nil)
        #expect(plan.earliestRetry?.date == now.addingTimeInterval(5))
    }

    @Test("P7.6 A failed change holds back its dependents only")
    func failing() {
        var plan = PushPlan([PushPlan.Item(id: 1), PushPlan.Item(id: 2, requires: [0]), PushPlan.Item(id: 3)])
        #expect(plan.next(at: now) == 0)
        plan.delay(0, until: now.addingTimeInterval(9))
        #expect(plan.next(at: now) == 2)
        plan.finish(2)
        #expect(plan.next(at: now) == nil)
        #expect(plan.earliestRetry?.date == now.addingTimeInterval(9))
    }

    // MARK: Several at the same time

    /// The ids of the changes that may travel together from now on.
    private func together(_ plan: inout PushPlan) -> [Int64] {
        var ids: [Int64] = []
        while let place = plan.next(at: now) { ids.append(plan.items[place].id) }
        return ids
    }

    @Test("P18 What a change requires has its response before it leaves, and others do not wait for it")
    func requiredHasArrived() {
        var plan = PushPlan([
            PushPlan.Item(id: 1), PushPlan.Item(id: 2, requires: [0]), PushPlan.Item(id: 3, requires: [1]),
            PushPlan.Item(id: 4),
        ])
        #expect(together(&plan) == [1, 4])
        plan.finish(3)
        #expect(together(&plan) == [])
        plan.finish(0)
        #expect(together(&plan) == [2])
        plan.hold(1)
        #expect(together(&plan) == [])
    }

    @Test("P18 Changes that touch the same from different sides keep their order")
    func touching() {
        func touch(_ side: PushTouch.Side) -> [PushTouch] { [PushTouch(subject: .records("Tag"), side: side)] }
        var plan = PushPlan([
            PushPlan.Item(id: 1, touches: touch(.one)), PushPlan.Item(id: 2, touches: touch(.one)),
            PushPlan.Item(id: 3, touches: touch(.other)), PushPlan.Item(id: 4, touches: touch(.one)),
            PushPlan.Item(id: 5),
        ])
        // The fourth does not overtake the third.
        #expect(together(&plan) == [1, 2, 5])
        plan.finish(0)
        #expect(together(&plan) == [])
        plan.finish(1)
        #expect(together(&plan) == [3])
        plan.delay(2, until: now.addingTimeInterval(9))
        #expect(together(&plan) == [4])
    }

    @Test("P18 Alone, a change travels with none that touches the same")
    func alone() {
        let touches = [PushTouch(subject: .lists("Owner"), side: .alone)]
        var plan = PushPlan([PushPlan.Item(id: 1, touches: touches), PushPlan.Item(id: 2, touches: touches)])
        #expect(together(&plan) == [1])
        plan.finish(0)
        #expect(together(&plan) == [2])
    }

    @Test("P18 Of a cycle, one travels at a time")
    func ringOneByOne() {
        var plan = PushPlan([PushPlan.Item(id: 1, requires: [1]), PushPlan.Item(id: 2, requires: [0])])
        #expect(together(&plan) == [2])
        plan.finish(1)
        #expect(together(&plan) == [1])
    }

    @Test("P2 100,000 records that refer to each other, and require the first, are sorted in few steps")
    func longRing() {
        let count = 100_000
        let items = (0..<count).map { place in
            PushPlan.Item(
                id: Int64(place), requires: place > 0 ? [0] : [], prefers: place + 1 < count ? [place + 1] : [])
        }
        #expect(PushPlan(items).order == [0] + Array((1..<count).reversed()))
    }

    @Test("A chain of 100,000 changes is sorted without recursion")
    func longChain() {
        let count = 100_000
        let items = (0..<count).map { place in
            PushPlan.Item(id: Int64(place), requires: place + 1 < count ? [place + 1] : [])
        }
        #expect(PushPlan(items).order == Array((0..<count).reversed()))
    }
}

@Suite("The meaning of a response")
struct PushDecisionTests {
    private func decide(
        _ response: SendResponse, _ kind: OutgoingChange.Kind = .update, attempts: Int = 1
    ) -> PushDecision {
        PushDecision(response, to: kind, attempts: attempts, schedule: RetrySchedule(), random: 0.5)
    }

    @Test("P6 A delete of a missing record has succeeded; for an update, the record is lost")
    func absent() {
        #expect(decide(.absent, .delete) == .confirm(body: nil, version: nil, identity: nil))
        #expect(decide(.absent, .update) == .goneThere)
        #expect(decide(.absent, .create) == .park(status: 404, body: Data()))
    }

    @Test(
        "P7.6 A server that is unavailable for one request gets the others", arguments: [408, 425, 500, 502, 503, 504])
    func later(status: Int) {
        #expect(decide(.unavailable(status: status), attempts: 3) == .later(delaySeconds: 2, status: status))
    }

    @Test("P7.3 429, and 503 with a Retry-After, stop the whole push")
    func pause() {
        #expect(decide(.unavailable(status: 429)) == .pause(delaySeconds: 0.5, status: 429))
        #expect(decide(.unavailable(status: 503, retryAfter: 7)) == .pause(delaySeconds: 7, status: 503))
    }

    @Test("C4.6 P8 409 and 412 to a version attribute mean that the record has another version", arguments: [409, 412])
    func stale(status: Int) {
        let decision = PushDecision(
            .refused(status: status, body: Data()), to: .update, isVersioned: true, attempts: 1,
            schedule: RetrySchedule(), random: 0.5)
        #expect(decision == .stale(status: status, body: Data()))
        #expect(decide(.refused(status: status, body: Data())) == .park(status: status, body: Data()))
    }

    @Test("P8 A permanently rejected change is parked with its status and body")
    func refused() {
        let body = Data("too long".utf8)
        #expect(decide(.refused(status: 422, body: body)) == .park(status: 422, body: body))
    }
}
