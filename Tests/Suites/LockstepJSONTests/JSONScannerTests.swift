import Testing

@testable import LockstepJSON
@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("Scanning JSON")
struct JSONScannerTests {
    @Test("N7 A record is read member by member")
    func members() throws {
        try scan(#" { "id" : 7 , "name" : "Léa" , "isDone":false,"note":null, "tags": [ 1.5, {} ] } "#) { scanner in
            try scanner.open(UInt8(ascii: "{"))
            #expect(try !scanner.isClosed(UInt8(ascii: "}"), isFirst: true))
            #expect(try scanner.key().string == "id")
            #expect(try scanner.number().integer == 7)
            #expect(try !scanner.isClosed(UInt8(ascii: "}"), isFirst: false))
            #expect(try scanner.key().string == "name")
            #expect(try scanner.text().string == "Léa")
            #expect(try !scanner.isClosed(UInt8(ascii: "}"), isFirst: false))
            _ = try scanner.key()
            #expect(try !scanner.null())
            #expect(try !scanner.bool())
            #expect(try !scanner.isClosed(UInt8(ascii: "}"), isFirst: false))
            _ = try scanner.key()
            #expect(try scanner.null())
            #expect(try !scanner.isClosed(UInt8(ascii: "}"), isFirst: false))
            _ = try scanner.key()
            #expect(scanner.depth == 1)
            try scanner.skipValue()
            #expect(try scanner.isClosed(UInt8(ascii: "}"), isFirst: false))
            #expect(scanner.depth == 0)
            try scanner.finish()
        }
    }

    @Test("N7 A record can be read again from its beginning")
    func moveBack() throws {
        try scan("[[1],2]") { scanner in
            try scanner.open(UInt8(ascii: "["))
            let (place, depth) = (scanner.cursor, scanner.depth)
            try scanner.skipValue()
            scanner.move(to: place, depth: depth)
            #expect(scanner.offset == 1)
            try scanner.open(UInt8(ascii: "["))
            #expect(try scanner.number().integer == 1)
            #expect(try scanner.isClosed(UInt8(ascii: "]"), isFirst: false))
            #expect(scanner.depth == 1)
        }
    }

    @Test("N7 The offsets in a part of a text are those of the whole text")
    func baseOffset() {
        let bytes = Array("[1,x]".utf8)
        #expect(throws: JSONSyntaxError(.unexpectedByte(UInt8(ascii: "x")), at: 1003)) {
            try bytes.withUnsafeBufferPointer { bytes in
                var scanner = JSONScanner(bytes, baseOffset: 1000)
                try scanner.skipValue()
            }
        }
    }

    @Test("N7 A byte-order mark is skipped at the beginning only")
    func byteOrderMark() throws {
        #expect(syntaxError(in: "\u{FEFF}[1]") == nil)
        #expect(syntaxError(in: " \u{FEFF}[1]") == JSONSyntaxError(.unexpectedByte(0xEF), at: 1))
        #expect(syntaxError(in: "\u{FEFF}\u{FEFF}1") == JSONSyntaxError(.unexpectedByte(0xEF), at: 3))
        #expect(syntaxError(in: "\u{FEFF}") == JSONSyntaxError(.unexpectedEnd, at: 3))
    }

    @Test(
        "N7 Escapes in strings are decoded",
        arguments: [
            (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83d\uDE00""#, "😀"), (#""\u0000""#, "\0"), (#""\uFFFF""#, "\u{FFFF}"),
            (#""x\uDBFF\uDFFFy""#, "x\u{10FFFF}y"),
            (#""a long text before \u0041, and é behind""#, "a long text before A, and é behind"),
        ])
    func strings(json: String, string: String) throws {
        try scan(json) { scanner in
            let text = try scanner.text()
            #expect(Array(text.string.utf8) == Array(string.utf8))
            let arena = TextArena()
            let bytes = Array(text.unescaped(into: arena))
            #expect(withExtendedLifetime(arena) { bytes } == Array(string.utf8))
        }
    }

    @Test(
        "N7 Integers are exact to 64 bits, and longer ones are kept as written",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("9223372036854775807", Int64.max),
            ("-9223372036854775808", Int64.min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
            ("9999999999999999999", nil), ("18446744073709551616", nil), ("100000000000000000000", nil), ("1.0", nil),
            ("1e2", nil), (String(repeating: "9", count: 5000), nil),
        ])
    func wholeNumbers(json: String, value: Int64?) throws {
        try scan(json) { scanner in
            let number = try scanner.number()
            #expect(number.integer == value)
            #expect(number.isWhole == !json.contains { $0 == "." || $0 == "e" })
            #expect(String(decoding: number.bytes, as: UTF8.self) == json)
            try scanner.finish()
        }
    }

    @Test("N7 Arrays and objects are nested up to a limit, which is named")
    func depth() {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + String(repeating: close, count: depth)
        }
        let limit = JSONScanner.depthLimit
        #expect(syntaxError(in: nested(limit, "[", "]")) == nil)
        #expect(
            syntaxError(in: String(repeating: #"{"a":"#, count: limit) + "1" + String(repeating: "}", count: limit))
                == nil)
        #expect(syntaxError(in: nested(limit + 1, "[", "]")) == JSONSyntaxError(.tooDeep(limit: limit), at: limit))
        #expect(syntaxError(in: nested(1_000_000, "[", "]")) == JSONSyntaxError(.tooDeep(limit: limit), at: limit))
        #expect(
            syntaxError(in: nested(100_000, #"[{"a":"#, "}]"))
                == JSONSyntaxError(.tooDeep(limit: limit), at: limit / 2 * 6))
    }

    @Test("N7 An array in an object in an array is closed in the right order")
    func containers() {
        let inner = String(repeating: #"[{"a":"#, count: 200)
        let outer = String(repeating: "}]", count: 200)
        #expect(syntaxError(in: inner + "1" + outer) == nil)
        let wrong = inner + "1" + String(repeating: "}]", count: 199) + "]"
        #expect(syntaxError(in: wrong) == JSONSyntaxError(.unexpectedByte(UInt8(ascii: "]")), at: wrong.utf8.count - 1))
    }
}
