import Contests
import Diary
import Figures
import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

/// A pull of a feed, compared with the same records in pages of a collection.
struct FeedFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    private let pageSize = 1_000

    func print() async throws {
        let records = try JSONValue(json: Sample.json(count)).elements
        let pages = try stride(from: 0, to: count, by: pageSize).map { start in
            try JSONValue.array(Array(records[start..<min(start + pageSize, count)])).json()
        }
        Markdown.header([
            "\(count / 1_000)k records in pages of \(pageSize)", "a feed", "a collection", "feed : collection",
        ])
        try await print("into an empty table", pages, isEmpty: true)
        try await print("everything again, nothing changed", pages, isEmpty: false)
        workplace.remove("feed", "collection")
        Swift.print()
    }

    private func print(_ title: String, _ pages: [Data], isEmpty: Bool) async throws {
        let url = URL(string: "https://server.test")!
        let feed = PostgRESTRemote(url, client: FeedClient(pages: pages, pageSize: pageSize))
        let collection = RESTRemote(url, client: PagesClient(pages: pages))
        let runners = [
            Runner(name: "feed") { try await pull("feed", feed, isEmpty: isEmpty) },
            Runner(name: "collection") { try await pull("collection", collection, isEmpty: isEmpty) },
        ]
        let walls = try await race(runners, rounds: rounds).map { $0.map(\.wall) }
        Markdown.row([title] + walls.map { Spread($0).text(milliseconds) } + [text(Ratio(walls[0], to: walls[1]))])
    }

    private func pull(_ name: String, _ remote: any Remote, isEmpty: Bool) async throws -> Time {
        let store = try workplace.store(isEmpty ? workplace.database(name) : workplace.url(name))
        let sync = Sync(store: store, remote: remote)
        let time = try await timed {
            let summary = try await sync.pull(everything: true)
            expect(isEmpty ? summary.inserted : summary.unchanged, count, "pulled")
        }
        try store.close()
        return time
    }
}

/// Responds at once with the page after the cursor.
private struct FeedClient: HTTPClient {
    let pages: [Data]
    let pageSize: Int

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        var number = 0
        if let body, case .string(let cursor)? = try JSONValue(json: body)["cursor"] { number = Int(cursor) ?? 0 }
        let first = number * pageSize + 1
        let versions = (first..<first + pageSize).map(String.init).joined(separator: ",")
        let json =
            Data(#"{"cursor":"\#(number + 1)","more":\#(number + 1 < pages.count),"lost":[],"scopes":{"all":{"#.utf8)
            + Data(#""Article":{"records":"#.utf8) + pages[number]
            + Data(#","versions":[\#(versions)],"deleted":[]}}}}"#.utf8)
        return HTTPClientResponse(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .data(json))
    }
}

/// Responds at once with the page of the address.
private struct PagesClient: HTTPClient {
    let pages: [Data]

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let number = request.path?.split(separator: "page=").last.flatMap { Int($0) } ?? 1
        var headers: HTTPFields = [.contentType: "application/json"]
        if number < pages.count { headers[HTTPField.Name("Link")!] = "</articles?page=\(number + 1)>; rel=\"next\"" }
        return HTTPClientResponse(HTTPResponse(status: .ok, headerFields: headers), body: .data(pages[number - 1]))
    }
}
