import Foundation
import HTTPTypes
import RuntimeTestSupport
import Testing

@testable import LockstepHTTP
@testable import LockstepStore
@testable import LockstepTables

@Suite("Header field values", .unhurried)
struct FieldValueTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)  // 14 November 2023, 22:13:20

    @Test(
        "Dates are parsed in all three formats",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Tuesday, 14-Nov-23 22:13:20 GMT", 1_700_000_000),
            ("Friday, 01-Jan-70 00:00:00 GMT", 3_155_760_000), ("Tue Nov 14 22:13:20 2023", 1_700_000_000),
            // Not by the standard, and sent nevertheless.
            ("Sun, 06 Nov 1994 08:49:37 +0000", 784_111_777), ("Sun, 06 Nov 1994 09:49:37 +01:00", 784_111_777),
            ("Sun, 06 Nov 1994 03:19:37 -0530", 784_111_777), ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 +0000", 784_111_777),
        ] as [(String, Int?)]
            + [
                "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
                "06 Nov 1994 08:49:37 GMT",
                "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
                "Sun, 00 Nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
                "Sun, 06 Nov 1994 8:49:37 GMT", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 +1",
                "Sun, 06 Nov 1994 08:49:37 +2500", "Sun, 06 Nov 1994 08:49:37. GMT", "Sun, 06 Nov 1994 08:49:37.x GMT",
            ].map { ($0, nil) })
    func dates(_ text: String, _ seconds: Int?) {
        // Two-digit years are within fifty years of now: 70 is 2070, since 1970 is more than fifty years ago.
        let date = HTTPDate.date(from: text, now: now)
        #expect(date == seconds.map { Date(timeIntervalSince1970: Double($0)) })
    }

    @Test("Fractions of a second are read")
    func fractions() {
        let date = HTTPDate.date(from: "Sun, 06 Nov 1994 08:49:37.250 GMT", now: now)
        #expect(date == Date(timeIntervalSince1970: 784_111_777.25))
    }

    @Test(
        "A user agent names the app, its version, and this library",
        arguments: [
            ("Journal", "3.1", "journal", "Journal/3.1 Lockstep/"), (nil, nil, "journal", "journal Lockstep/"),
            ("", "", "a b", "a-b Lockstep/"), ("Mein Büro (Test)", "2 β", "x", "Mein-Buro-Test/2 Lockstep/"),
            ("日本", "1", "app", "app/1 Lockstep/"), ("日本", nil, "日本", "Lockstep/"),
        ] as [(String?, String?, String, String)])
    func userAgent(_ name: String?, _ version: String?, _ process: String, _ expected: String) {
        let text = UserAgent.text(name: name, version: version, process: process)
        #expect(text == expected + UserAgent.libraryVersion)
    }

    @Test("The library's version is the one that stores are written with")
    func libraryVersion() { #expect(UserAgent.libraryVersion == LibraryVersion.text) }

    @Test("Formatted dates can be parsed again")
    func writing() {
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
        var seconds = -5_000_000_000
        while seconds < 10_000_000_000 {
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(HTTPDate.date(from: HTTPDate.text(of: date), now: now) == date)
            seconds += 7_654_321
        }
    }

    @Test(
        "Retry-After is a number of seconds or a date, never in the past or far in the future",
        arguments: [
            ("120", 120), ("0", 0), (" 5 ", 5), ("99999999999999999999", RetryAfter.maximumSeconds),
            ("Tue, 14 Nov 2023 22:15:20 GMT", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Wed, 14 Nov 2040 22:15:20 GMT", RetryAfter.maximumSeconds), ("-5", nil), ("1.5", nil), ("", nil),
            ("soon", nil),
        ] as [(String, Double?)])
    func retryAfter(_ text: String, _ seconds: Double?) {
        #expect(RetryAfter.seconds(in: [.retryAfter: text], now: now) == seconds)
    }

    @Test("P7.9 A Retry-After that is a date counts from the response's Date: the device's clock may be wrong")
    func retryAfterByServersClock() {
        var fields: HTTPFields = [.retryAfter: "Tue, 14 Nov 2023 22:15:20 GMT", .date: "Tue, 14 Nov 2023 22:15:00 GMT"]
        for seconds in [-1e9, -60, 0, 60, 1e9] {
            #expect(RetryAfter.seconds(in: fields, now: now.addingTimeInterval(seconds)) == 20)
        }
        fields[.date] = "yesterday"
        #expect(RetryAfter.seconds(in: fields, now: now) == 120)
    }

    @Test(
        "The next page is read from the Link field",
        arguments: [
            ("</a?page=2>; rel=\"next\"", "https://x.y/a?page=2"), ("<?page=2>;rel=next", "https://x.y/a/b?page=2"),
            ("<https://o.p/>; rel=\"prev\", <c>; rel=\"next\"", "https://x.y/a/c"),
            ("</a?ids=1,2;3>; rel=\"next\"; title=\"a, b; c\\\"d\"", "https://x.y/a?ids=1,2;3"),
            ("</1>; title=\"x, </2>; rel=next\"; rel=\"prev\", </3>; rel=\"first next\"", "https://x.y/3"),
            ("</a>; REL=\"NEXT\"", "https://x.y/a"), ("</a>; rel=\"prev\"; rel=\"next\"", nil), ("</a>", nil),
            ("< /a > ; rel = next ", "https://x.y/a"), ("</a>; rel=\"nextish\"", nil), ("", nil), (",,", nil),
            (",, </a>; rel=next ,,", "https://x.y/a"), ("</a; rel=next", nil), ("a; rel=next", nil),
            ("<//o.p/q>; rel=next", "https://o.p/q"), ("</a>; rel=\"next", "https://x.y/a"),
            ("<>; rel=next", "https://x.y/a/b?page=1"), ("</a>; crossorigin; rel=next", "https://x.y/a"),
        ] as [(String, String?)])
    func links(_ text: String, _ target: String?) throws {
        let address = try #require(URL(string: "https://x.y/a/b?page=1"))
        #expect(LinkHeader(text).target(of: "next", relativeTo: address)?.absoluteString == target)
    }

    @Test("Link parameters are kept with lowercase names")
    func parameters() {
        let links = LinkHeader("</a>; rel=\"next  last\"; Title=\"a, \\\"b\\\"\"; type=text/html, </b>; rel=prev").links
        #expect(links.count == 2)
        #expect(links.first?.relations == ["next", "last"])
        #expect(links.first?.parameters == ["title": "a, \"b\"", "type": "text/html"])
    }

    @Test("Entity tags are compared strongly and weakly")
    func entityTags() throws {
        // The table of RFC 9110, 8.8.3.2.
        for (one, other, strongly, weakly) in [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true),
            ("\"1\"", "\"1\"", true, true), (" \"1\"\t", "1", true, true), ("\"\"", "\"\"", true, true),
        ] {
            let (first, second) = (try #require(EntityTag(one)), try #require(EntityTag(other)))
            #expect(first.matchesStrongly(second) == strongly)
            #expect(first.matchesWeakly(second) == weakly)
        }
        for text in ["", "W/", "W/1", "\"", "\"a\"b\"", "a\"b"] { #expect(EntityTag(text) == nil, "\(text)") }
    }

    @Test(
        "Only this machine counts as loopback",
        arguments: [
            ("127.0.0.1", true), ("127.255.0.3", true), ("localhost", true), ("LocalHost", true), ("::1", true),
            ("[::1]", true), ("127.1", false), ("127.0.0.1.example.com", false), ("2130706433", false),
            ("0177.0.0.1", false), ("127.0.0.01", false), ("127.0.0.256", false), ("128.0.0.1", false),
            ("0.0.0.0", false),
            ("localhost.example.com", false), ("mylocalhost", false), ("::ffff:127.0.0.1", false), ("", false),
        ])
    func loopback(_ host: String, _ isLoopback: Bool) { #expect(AddressRule.isLoopback(host) == isLoopback) }

    @Test("Remote http, other schemes and user names are rejected before anything is sent")
    func insecure() async throws {
        for address in [
            "http://example.com/a", "ftp://127.0.0.1/", "ws://127.0.0.1/", "https://u:p@example.com/",
            "http://u@127.0.0.1/",
        ] {
            let error = await Web.error { _ = try await URLSessionClient().send(Web.request(.get, address), body: nil) }
            #expect(error?.code == .insecureAddress, "\(address)")
            #expect(error.map { !"\($0)".contains("u:p") } == true)
        }
        let open = AddressRule(allowsInsecureHosts: true)
        #expect(
            try open.address(of: Web.request(.get, "http://example.com/a")).absoluteString == "http://example.com/a")
        #expect(throws: SyncError.self) { try open.address(of: Web.request(.get, "ftp://example.com/a")) }
    }
}
