import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import Shop
import Testing

@Suite("REST: pages")
struct RESTPagingTests {
    private let url = URL(string: "https://shop.test")!
    private let articles = RemoteEntity(Article.self)
    private let linkName = HTTPField.Name("Link")!

    private func page(
        _ scripted: ScriptedClient.Response, _ paging: RESTPaging = .link, page: String? = nil
    ) async throws -> (request: String?, next: String?) {
        var conventions = RESTConventions()
        conventions.reads.paging = paging
        let client = ScriptedClient(scripted)
        let response = try await RESTRemote(url, client: client, conventions: conventions)
            .fetch(RemoteRequest(entity: articles, query: [URLQueryItem(name: "new", value: "1")], page: page))
        let request = await client.requests.first?.split(separator: "\n").first.map(String.init)
        return (request, try #require(response.records).next)
    }

    @Test("The Link field names the next page, whose address is used unchanged")
    func link() async throws {
        let first = try await page(
            .init(
                fields: [linkName: #"<https://shop.test/articles?page=1>; rel="prev", </articles?page=2>; rel="next""#],
                body: "[]"))
        #expect(first.request == "GET https://shop.test/articles?new=1")
        #expect(first.next == "https://shop.test/articles?page=2")
        let last = try await page(.init(body: "[]"), page: first.next)
        #expect(last.request == "GET https://shop.test/articles?page=2")
        #expect(last.next == nil)
    }

    @Test("H1 The address of the next page is kept with the validators of the response")
    func validators() async throws {
        let client = ScriptedClient(
            .init(fields: [.eTag: "x", linkName: "</articles?page=2>; rel=next"], body: "[]"))
        let records = try await RESTRemote(url, client: client).fetch(RemoteRequest(entity: articles)).records
        #expect(
            records?.validators == Validators(entityTag: "x", next: "https://shop.test/articles?page=2"))
    }

    @Test(
        "A next page on another origin is neither requested nor taken for the end",
        arguments: ["https://evil.test/articles?page=2", "http://shop.test/articles?page=2", "https://shop.test:444/"])
    func elsewhere(_ address: String) async throws {
        let named = try await syncError {
            try await page(.init(fields: [linkName: "<\(address)>; rel=next"], body: "[]"))
        }
        #expect(named.code == .insecureAddress && named.isTransient)
        let asked = try await syncError { try await page(.init(body: "[]"), page: address) }
        #expect(asked.code == .insecureAddress)
    }

    @Test("Counted pages end with an empty page")
    func emptyPage() async throws {
        let paging = RESTPaging.pages(size: ("per_page", 2))
        let first = try await page(.init(body: "[{}]"), paging)
        #expect(first.request == "GET https://shop.test/articles?page=1&per_page=2&new=1")
        #expect(first.next == "2")
        let second = try await page(.init(body: #"{"articles": [], "page": 2}"#), paging, page: "2")
        #expect(second.request == "GET https://shop.test/articles?page=2&per_page=2&new=1")
        #expect(second.next == nil)
    }

    @Test("Counted pages end with a short page, if the server is known to fill them")
    func shortPage() async throws {
        let paging = RESTPaging.pages(parameter: "p", size: ("n", 2), first: 0, end: .shortPage)
        let first = try await page(.init(body: #"{"x": [1], "articles": [{}, {}]}"#), paging)
        #expect(first.request == "GET https://shop.test/articles?p=0&n=2&new=1")
        #expect(first.next == "1")
        #expect(try await page(.init(body: "[{}]"), paging, page: "1").next == nil)
        #expect(try await page(.init(body: "null"), paging, page: "1").next == nil)
    }

    @Test(
        "M7 A page whose records cannot be counted is not the last page",
        arguments: ["", "[{}", #"{"other": []}"#, #"{"articles": {}}"#, "7", "[] []"])
    func malformed(_ body: String) async throws {
        let error = try await syncError { try await page(.init(body: body), .pages()) }
        #expect(error.code == .malformed)
    }

    @Test("Without paging there is no next page")
    func none() async throws {
        let only = try await page(.init(fields: [linkName: "<b>; rel=next"], body: "[]"), .none)
        #expect(only.next == nil)
    }
}
