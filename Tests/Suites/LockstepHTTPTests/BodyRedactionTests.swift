import Foundation
import LockstepSync
import Testing

@Suite("Server messages without secrets")
struct BodyRedactionTests {
    private static let texts = [
        // JSON
        (#"{"error":"no","code":"invalid","key":"title"}"#, #"{"error":"no","code":"invalid","key":"title"}"#),
        (#"{"access_token":"a b","id":1}"#, #"{"access_token":"…","id":1}"#),
        (#"{"Authorization": "Bearer abc", "n": 2}"#, #"{"Authorization": "…", "n": 2}"#),
        (#"{"apiKey" : 12345, "n": 2}"#, #"{"apiKey" : …, "n": 2}"#),
        (#"{"secret":["a",{"b":"]"}],"n":2}"#, #"{"secret":"…","n":2}"#),
        (#"{"password":"a\"b\\","n":2}"#, #"{"password":"…","n":2}"#),
        (#"{"body":"{\"token\":\"abc\",\"n\":2}"}"#, #"{"body":"{\"token\":\"…\",\"n\":2}"}"#),
        (#"{"token":"cut o"#, #"{"token":"…"#),
        (#"{"cookie":null}"#, #"{"cookie":…}"#),
        // Header fields, forms, addresses, and words
        ("Authorization: Basic abc def\r\nX: 1", "Authorization: …\r\nX: 1"),
        ("Cookie: a=1; b=2\nX: 1", "Cookie: …\nX: 1"),
        ("grant=x&client_secret=abc&n=2", "grant=x&client_secret=…&n=2"),
        ("see https://u:p@a.b/c?key=abc&page=2.", "see https://…@a.b/c?key=…&page=2."),
        ("the token is expired", "the token is expired"),
        ("wants Bearer abc.def, not this", "wants Bearer …, not this"),
        ("eyJhbGciOi.eyJzdWIi.c2ln is old", "… is old"),
        ("<a href='https://a.b/?auth=abc'>x</a>", "<a href='https://a.b/?auth=…'>x</a>"),
        ("", ""), (":", ":"), ("=", "="), ("token", "token"), ("token=", "token="), ("\"", "\""), ("://", "://"),
    ]

    @Test("P9 Secrets are removed by their names; the rest is unchanged", arguments: texts)
    func redaction(_ text: String, _ shown: String) {
        let kept = String(decoding: Redaction.body(Data(text.utf8)), as: UTF8.self)
        #expect(kept == shown)
    }

    @Test("Bytes that are not text are unchanged")
    func bytes() {
        let data = Data((0...255).map { UInt8($0) } + [0xFF, 0xFE])
        #expect(Redaction.body(data) == data)
    }
}
