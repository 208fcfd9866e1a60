import Archive
import CMergeFloor
import Contests
import Figures
import Foundation
import LockstepStore

/// Merging records that come with others.
struct NestedFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    func print() async throws {
        let posts = Payloads.posts(count)
        try await print(
            Post.self, posts, "\(count / 1_000)k posts, \(fixed(Double(posts.count) / 1e6, 1)) MB: an author and tags",
            again: .mergeLinksAgain)
        let projects = count / 10
        let payload = Payloads.projects(projects)
        let sheets = projects * Payloads.sheetsPerProject
        try await print(
            Project.self, payload,
            "\(projects) projects, \(sheets) sheets, \(sheets * Payloads.componentsPerSheet) components, "
                + "\(fixed(Double(payload.count) / 1e6, 1)) MB",
            again: .mergeTreeAgain)
    }

    private func print<Object: Mergeable>(
        _ type: Object.Type, _ payload: Data, _ title: String, again budget: Budget
    ) async throws {
        let (records, rows) = try counts(Object.self, payload)
        try await Contest(
            title + ", empty",
            lockstep: {
                let store = try workplace.store(try workplace.database("nested-lockstep"))
                let time = try await timed { try await type.merge(payload, into: store, expecting: .inserted(records)) }
                try store.close()
                return time
            },
            floor: {
                let floor = Floor(try workplace.database("nested-floor"), type.floorKind)
                defer { floor.close() }
                return timed { precondition(floor.insert(payload) >= records) }
            }
        ).print(rounds: rounds)
        try workplace.expectSame(workplace.url("nested-lockstep"), workplace.url("nested-floor"))

        let store = try workplace.store(workplace.url("nested-lockstep"))
        let floor = Floor(workplace.url("nested-floor"), type.floorKind)
        try await Contest(
            "the same again, nothing changed", budget: budget,
            lockstep: {
                try await timed { try await type.merge(payload, into: store, expecting: .unchanged(records)) }
            },
            floor: { timed { precondition(floor.compare(payload) == rows) } }
        ).print(rounds: rounds)
        try store.close()
        floor.close()
        try workplace.expectSame(workplace.url("nested-lockstep"), workplace.url("nested-floor"))
        workplace.remove("nested-lockstep", "nested-floor")
    }

    /// The records that a payload has, each counted once, and its rows, which include those that only link.
    private func counts<Object: Mergeable>(_ type: Object.Type, _ payload: Data) throws -> (records: Int, rows: Int) {
        let url = try workplace.database("nested-count", with: payload, type.floorKind)
        defer { workplace.remove("nested-count") }
        let tables = ["post", "author", "project", "sheet", "component"]
        let records = try workplace.rowCount(url, of: tables)
        return (records, try records + workplace.rowCount(url, of: ["tag_post"]))
    }
}
