import Foundation
import LockstepSchema
import LockstepSync
import LockstepSystem
import ServerTestSupport
import Testing

@testable import LockstepConformance

/// Servers whose pages never end.
@Suite("What a device of lockstep conformance reads")
struct DeviceReaderTests {
    private static let pageLimit = 40

    private func reason(feed: @escaping @Sendable (Int) -> FeedPage) async throws -> String? {
        try await reason(EndlessServer(traits: RemoteTraits(hasFeed: true), feed: feed) { _ in nil })
    }

    private func reason(link: @escaping @Sendable (Int) -> String?) async throws -> String? {
        try await reason(EndlessServer(traits: RemoteTraits(), feed: { _ in .expired }, link: link))
    }

    private func reason(_ server: EndlessServer) async throws -> String? {
        let maker = SampleMaker(try PostgreSQLFeed.schema("Notes.yaml").structure, user: nil)
        let device = DeviceReader(server, entity: try maker.subject("Note").entity, pageLimit: Self.pageLimit)
        do { try await device.pull() } catch let failure as ConformanceFailure { return failure.reason }
        return nil
    }

    @Test("A feed whose pages never end is an error")
    func endlessFeeds() async throws {
        let limit = "the feed does not end: it has more than 40 pages"
        #expect(try await reason { FeedPage(cursor: "\($0)", hasMore: true) } == limit)
        let earlier = "the feed does not end: a page is followed by an earlier one"
        #expect(try await reason { FeedPage(cursor: "\($0 % 3)", hasMore: true) } == earlier)
        #expect(try await reason { _ in FeedPage(cursor: "same", hasMore: true) } == earlier)
    }

    @Test("A feed that expires again and again is an error, and one that expires once is not")
    func expiries() async throws {
        let again = try await reason { $0 % 2 == 0 ? .expired : FeedPage(cursor: "\($0)", hasMore: true) }
        #expect(again == "the feed does not end: it has expired 11 times")
        let once = try await reason { $0 == 2 ? .expired : FeedPage(cursor: "\($0 % 2)", hasMore: $0 < 4) }
        #expect(once == nil)
    }

    @Test("A collection whose links never end is an error, and one with as many pages as allowed is not")
    func endlessCollections() async throws {
        #expect(try await reason { "/note?page=\($0)" } == "the list does not end: it has more than 40 pages")
        let earlier = "the list does not end: a page is followed by an earlier one"
        #expect(try await reason { "/note?page=\($0 % 2)" } == earlier)
        #expect(try await reason { $0 > Self.pageLimit ? nil : "/note?page=\($0)" } == nil)
    }
}

/// A server that decides by the number of the request, from 1 on, whether there is another page.
private struct EndlessServer: LockstepSync.Remote {
    let traits: RemoteTraits
    let feed: @Sendable (Int) -> FeedPage
    let link: @Sendable (Int) -> String?
    private let count = Locked(0)

    init(
        traits: RemoteTraits, feed: @escaping @Sendable (Int) -> FeedPage, link: @escaping @Sendable (Int) -> String?
    ) {
        self.traits = traits
        self.feed = feed
        self.link = link
    }

    private func number() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    func feed(after cursor: String?) async throws -> FeedPage { feed(number()) }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        .records(FetchResponse.Records(body: .data(Data("[]".utf8)), next: link(number())))
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse { .absent }
}
