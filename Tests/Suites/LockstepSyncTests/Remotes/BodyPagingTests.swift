import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import Testing

@Suite("REST: pages that the body names")
struct BodyPagingTests {
    private let url = URL(string: "https://shop.test")!
    private let articles = RemoteEntity(Article.self)

    private func page(
        _ body: String, _ paging: RESTPaging, page: String? = nil, list: WirePath = "data"
    ) async throws -> (request: String?, next: String?) {
        var conventions = RESTConventions()
        conventions.envelope.list = list
        conventions.reads.paging = paging
        let client = ScriptedClient(.init(body: body))
        let response = try await RESTRemote(url, client: client, conventions: conventions)
            .fetch(RemoteRequest(entity: articles, query: [URLQueryItem(name: "new", value: "1")], page: page))
        let request = await client.requests.first?.split(separator: "\n").first.map(String.init)
        return (request, try #require(response.records).next)
    }

    @Test("A cursor is sent back as a parameter, until there is none")
    func cursor() async throws {
        let paging = RESTPaging.cursor(in: ["page", "next"], parameter: "cursor", size: ("limit", 2))
        let first = try await page(#"{"data": [{}], "page": {"next": "a b/ü"}}"#, paging)
        #expect(first.request == "GET https://shop.test/articles?limit=2&new=1")
        #expect(first.next == "a b/ü")
        let second = try await page(#"{"page": {"next": 17}, "data": []}"#, paging, page: first.next)
        #expect(second.request == "GET https://shop.test/articles?cursor=a%20b%2F%C3%BC&limit=2&new=1")
        #expect(second.next == "17")
        for last in ["null", "false", #""""#] {
            #expect(try await page(#"{"data": [{}], "page": {"next": \#(last)}}"#, paging, page: "17").next == nil)
        }
    }

    @Test("The cursor may be beside a list that is deeper in the body")
    func nested() async throws {
        let paging = RESTPaging.cursor(in: ["result", "next"], parameter: "after")
        let first = try await page(
            #"{"result": {"articles": [{}], "next": "x"}}"#, paging, list: ["result", "articles"])
        #expect(first.next == "x")
    }

    @Test(
        "M7 A page that does not say whether there is another one is not the last",
        arguments: [
            #"{"data": [{}]}"#, #"{"data": [], "page": {}}"#, #"{"data": [], "page": null}"#,
            #"{"data": [], "page": {"next": true}}"#, #"{"data": [], "page": {"next": {}}}"#,
            #"{"data": [], "page": {"next": [1]}}"#, #"{"page": {"next": null}}"#, "[]", #"{"data": [{}], "page""#,
        ])
    func unknown(_ body: String) async throws {
        let paging = RESTPaging.cursor(in: ["page", "next"], parameter: "cursor")
        #expect(try await syncError { try await page(body, paging) }.code == .malformed)
    }

    @Test("A server may omit the member on the last page, if the app says so")
    func omitted() async throws {
        let paging = RESTPaging.nextLink(in: ["links", "next"], ifMissing: .lastPage)
        #expect(try await page(#"{"data": [{}]}"#, paging).next == nil)
        #expect(try await page(#"{"data": [{}], "links": {"next": null}}"#, paging).next == nil)
        let error = try await syncError { try await page(#"{"data": [{}], "links": {"next": 7}}"#, paging) }
        #expect(error.reason == "the next page under “links.next” is not an address")
    }

    @Test(
        "A link in the body is the address of the next page, on the same server",
        arguments: [
            "https://shop.test/articles?page=2", "/articles?page=2", "?page=2",
        ])
    func link(_ address: String) async throws {
        let paging = RESTPaging.nextLink(in: ["links", "next"])
        let first = try await page(#"{"data": [{}], "links": {"next": "\#(address)"}}"#, paging)
        #expect(first.next == "https://shop.test/articles?page=2")
        let object = try await page(#"{"data": [{}], "links": {"next": {"href": "\#(address)"}}}"#, paging)
        #expect(object.next == first.next)
        let second = try await page(#"{"data": [], "links": {"next": null}}"#, paging, page: first.next)
        #expect(second.request == "GET https://shop.test/articles?page=2")
        let elsewhere = try await syncError {
            try await page(#"{"data": [], "links": {"next": "https://evil.test/"}}"#, paging)
        }
        #expect(elsewhere.code == .insecureAddress && elsewhere.isTransient)
    }

    @Test("An offset counts the records that were received, until a page is empty, or short")
    func offset() async throws {
        let paging = RESTPaging.offset(limit: ("limit", 3))
        let first = try await page(#"{"data": [{}, {}]}"#, paging)
        #expect(first.request == "GET https://shop.test/articles?offset=0&limit=3&new=1")
        // The server sends fewer than requested: nothing is skipped.
        #expect(first.next == "2")
        let second = try await page(#"{"data": []}"#, paging, page: "2")
        #expect(second.request == "GET https://shop.test/articles?offset=2&limit=3&new=1")
        #expect(second.next == nil)
        let short = RESTPaging.offset(parameter: "skip", limit: ("take", 3), end: .shortPage)
        #expect(try await page(#"{"data": [{}, {}, {}]}"#, short, page: "3").next == "6")
        #expect(try await page(#"{"data": [{}, {}]}"#, short, page: "6").next == nil)
    }

    @Test("M7 Nothing is deleted unless the last page was read")
    func incomplete() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.merge(#"[{"id": 9, "title": "Nine", "body_text": ""}]"#, into: Article.self)
        var conventions = RESTConventions()
        conventions.envelope = .under("data")
        conventions.reads.paging = .cursor(in: "next", parameter: "cursor")
        func pull(_ responses: ScriptedClient.Response...) async throws -> PullSummary {
            let remote = RESTRemote(url, client: ScriptedClient(responses), conventions: conventions)
            return try await Sync(store: store, remote: remote).pull(Article.self, options: MergeOptions(records: .all))
        }
        let record = #"{"id": 1, "title": "One", "body_text": ""}"#
        await #expect(throws: SyncError.self) {
            try await pull(.init(body: #"{"data": [\#(record)], "next": "c1"}"#), .init(body: #"{"data": []}"#))
        }
        await #expect(throws: SyncError.self) {
            try await pull(
                .init(body: #"{"data": [\#(record)], "next": "c1"}"#),
                .init(body: #"{"data": [], "next": "c1"}"#), .init(body: #"{"data": [], "next": "c1"}"#))
        }
        #expect(try await store.representations(Article.all()).map(\.id) == [9])
        // The last page was read, and the server confirms that the record was deleted.
        let pulled = try await pull(
            .init(body: #"{"data": [\#(record)], "next": "c1"}"#), .init(body: #"{"data": [], "next": null}"#),
            .init(status: 404))
        #expect(pulled.deleted == 1 && pulled.inserted == 1)
    }
}
