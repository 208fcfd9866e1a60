import Archive
import Contests
import Foundation
import LockstepStore
import LockstepSync

/// Merging representations, beside what decoding them takes.
struct TypedFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    func print() async throws {
        let json = Payloads.articles(count)
        let decoder = JSONDecoder()
        let representations = try decoder.decode([ArticleRepresentation].self, from: json)
        expect(representations.count, count)
        let decode = {
            try timed { expect(try decoder.decode([ArticleRepresentation].self, from: json).count, count) }
        }
        Contest.printHeader(floor: "JSONDecoder alone", others: [])
        try await Contest(
            "merge \(count / 1_000)k representations, empty table",
            lockstep: {
                let store = try workplace.store(try workplace.database("typed-lockstep"))
                let time = try await merge(representations, store, .inserted(count))
                try store.close()
                return time
            }, floor: decode
        ).print(rounds: rounds)
        let store = try workplace.store(workplace.url("typed-lockstep"))
        try await Contest(
            "the same again, nothing changed",
            lockstep: { try await merge(representations, store, .unchanged(count)) }, floor: decode
        ).print(rounds: rounds)
        try store.close()
        let floor = try workplace.database("typed-floor", with: json)
        try workplace.expectSame(workplace.url("typed-lockstep"), floor)
        workplace.remove("typed-lockstep", "typed-floor")
    }

    private func merge(
        _ representations: [ArticleRepresentation], _ store: Store, _ expected: Expected
    ) async throws -> Time {
        try await timed { expected.check(try await store.merge(representations)) }
    }
}
