import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing
import TestSupport

/// The company API of Remotes.md, and the remote of WritingARemote.md for it, against a server in Python over real
/// sockets.
@Suite("A company API", .enabled(if: ScriptServer.isWanted))
struct CompanyAPISnippets {
    private func remote(_ url: URL) -> RESTRemote {
        let account = SignedInAccount()
        // snippet
        var conventions = RESTConventions()
        conventions.envelope = .under("data")  // {"data": [{…}]} and {"data": {…}}, also in requests
        conventions.reads.paging = .cursor(
            in: ["page", "next_cursor"], parameter: "cursor", size: ("limit", 100))  // ?limit=100&cursor=c2
        conventions.writes.updates = .mergePatch  // PATCH, application/merge-patch+json

        let remote = RESTRemote(
            url, client: AuthorizedClient(URLSessionClient()) { _ in await account.token },
            conventions: conventions, usesVersions: true)  // ETag and If-Match
        // end
        return remote
    }

    private func ownRemote(_ url: URL) -> CompanyRemote {
        CompanyRemote(url, client: AuthorizedClient(URLSessionClient()) { _ in "secret" })
    }

    private struct SignedInAccount: Sendable {
        var token: String { get async { "secret" } }
    }

    private func sync(_ api: ScriptServer, isOwn: Bool) throws -> (Store, Sync) {
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        let remote: any Remote = isOwn ? ownRemote(api.url) : remote(api.url)
        return (store, Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1)))
    }

    @Test("Records are created, pulled in pages, changed and deleted", arguments: [false, true])
    func story(isOwn: Bool) async throws {
        let api = try ScriptServer.companyAPI()
        let (mine, first) = try sync(api, isOwn: isOwn)
        let due = Date(timeIntervalSince1970: 1_800_000_000.25)
        let ids = try await mine.perform { context in
            let ids = (1...5).map { number in
                let sheet = JobSheet(title: "Job \(number)", context: context)
                sheet.dueAt = due
                sheet.options = ["color": "red", "size": 7]
                return sheet.id
            }
            try context.save()
            return ids
        }
        #expect(try await first.push().created == 5)
        let (theirs, second) = try sync(api, isOwn: isOwn)
        let pulled = try await second.pull(JobSheet.self)
        #expect(pulled.inserted == 5)
        // Pages of two, whatever is requested.
        #expect(pulled.requests == 3)
        #expect(try await theirs.representations(JobSheet.all()).allSatisfy { $0.dueAt == due })

        try await theirs.perform { context in
            try #require(try JobSheet.find(ids[0], in: context)).title = "Theirs"
            try #require(try JobSheet.find(ids[1], in: context)).options = ["size": 8]
            context.delete(try #require(try JobSheet.find(ids[2], in: context)))
            try context.save()
        }
        let pushed = try await second.push()
        #expect(pushed.updated == 2 && pushed.deleted == 1)
        // C4: the versions of this device are outdated.
        try await mine.perform { context in
            try #require(try JobSheet.find(ids[0], in: context)).dueAt = nil
            try context.save()
        }
        #expect(try await first.push().updated == 1)
        for sync in [first, second] { try await sync.pull(JobSheet.self, options: MergeOptions(records: .all)) }
        for store in [mine, theirs] {
            let sheets = try await store.representations(JobSheet.all())
            #expect(sheets.count == 4)
            let changed = try #require(sheets.first { $0.id == ids[0] })
            #expect(changed.title == "Theirs" && changed.dueAt == nil)
            // A merge patch cannot replace an object: what the new value lacks was sent as null.
            #expect(sheets.first { $0.id == ids[1] }?.options == ["size": 8])
            #expect(try await store.outbox.pending().isEmpty)
        }
        api.stop()
    }

    @Test("P8 A rejection says why, by attribute", arguments: [false, true])
    func rejection(isOwn: Bool) async throws {
        let api = try ScriptServer.companyAPI()
        let (store, sync) = try sync(api, isOwn: isOwn)
        try await store.perform { context in
            JobSheet(title: " ", context: context)
            try context.save()
        }
        #expect(try await sync.push().parked.count == 1)
        let change = try #require(try await store.outbox.pending().first)
        #expect(
            change.lastError == "the server responded with 422: Validation failed; title: must not be empty")
        #expect(sync.problem(of: change)?.attributes == ["title": ["must not be empty"]])
        api.stop()
    }
}

extension ScriptServer {
    /// A running `company-api.py`.
    fileprivate static func companyAPI() throws -> ScriptServer {
        try ScriptServer("Tests/Suites/LockstepSyncTests/Remotes/company-api.py")
    }

    fileprivate var url: URL { URL(string: "http://127.0.0.1:\(port)/api/v1")! }
}
