import Foundation
import KitchenSink
import LockstepStore
import Shop
import Testing

@testable import LockstepJSON
@testable import LockstepMerge

@Suite("N6 A value that is read and written back is the original JSON")
struct OutgoingTests {
    /// Reads `json` as a value and writes it again.
    private func roundTrip<Value: AttributeValue>(
        _ type: Value.Type, _ json: String, format: DateFormat = .iso8601, asText: Bool = false
    ) throws -> String {
        let decoder = JSONDecoder()
        decoder.userInfo[.wire] = WireOption(format: format, asText: asText)
        let encoder = JSONEncoder()
        encoder.userInfo = decoder.userInfo
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let value = try decoder.decode([Echo<Value>].self, from: Data("[\(json)]".utf8))
        return String(decoding: try encoder.encode(value).dropFirst().dropLast(), as: UTF8.self)
    }

    @Test(
        "N6 Numbers",
        arguments: ["0", "1", "-1", "9223372036854775807", "-9223372036854775808"])
    func wholeNumbers(json: String) throws {
        #expect(try roundTrip(Int64.self, json) == json)
        #expect(try roundTrip(Int64.self, "\"\(json)\"", asText: true) == "\"\(json)\"")
        #expect(try roundTrip([Int].self, "[\(json)]", asText: true) == "[\"\(json)\"]")
    }

    @Test("N6 Bools")
    func bools() throws {
        for json in ["true", "false"] {
            #expect(try roundTrip(Bool.self, json) == json)
            #expect(try roundTrip(Bool.self, "\"\(json)\"", asText: true) == "\"\(json)\"")
        }
    }

    @Test(
        "N6 Decimals, digit for digit",
        arguments: [
            "0", "1", "-1.5", "19.99", "0.1", "0.00001", "12345678901234567890.123456789", "100000000000000000000",
            "99999999999999999999999999999999999999", "0.3", "1234567.89",
        ])
    func decimals(json: String) throws {
        #expect(try roundTrip(Decimal.self, json) == json)
        #expect(try roundTrip(Decimal.self, "\"\(json)\"", asText: true) == "\"\(json)\"")
        #expect(try roundTrip(JSONValue.self, "{\"a\":[\(json)]}") == "{\"a\":[\(json)]}")
    }

    @Test("N6 Doubles and floats, with the shortest digits that represent them")
    func reals() throws {
        for json in ["0.1", "1.5", "-2.25", "3.141592653589793", "0.30000000000000004", "1e+300", "5e-324"] {
            let value = try #require(Double(json))
            let written = try roundTrip(Double.self, json)
            #expect(Double(written) == value, "\(json) became \(written)")
        }
        #expect(try roundTrip(Float.self, "0.1") == "0.1")
        #expect(try roundTrip(Float.self, "\"0.1\"", asText: true) == "\"0.1\"")
        #expect(try roundTrip(Double.self, "\"0.1\"", asText: true) == "\"0.1\"")
    }

    @Test(
        "N6 Dates in every format",
        arguments: [
            (DateFormat.iso8601, "\"2024-03-01T08:30:00Z\""), (.iso8601, "\"2024-03-01T08:30:00.123Z\""),
            (.iso8601, "\"2024-03-01T08:30:00.123456Z\""), (.secondsSince1970, "1709281800"),
            (.fractionalSecondsSince1970, "1709281800"), (.fractionalSecondsSince1970, "1709281800.5"),
            (.fractionalSecondsSince1970, "1709281800.123456"), (.fractionalSecondsSince1970, "-0.25"),
            (.millisecondsSince1970, "1709281800123"), (.fractionalMillisecondsSince1970, "1709281800123"),
            (.fractionalMillisecondsSince1970, "1709281800123.456"), (.microsecondsSince1970, "1709281800123456"),
            (.microsecondsSince1970, "-250000"), (.microsecondsSince1970, "253402300799999000"),
            (.pattern("yyyy-MM-dd"), "\"2024-03-01\""),
            (.pattern("yyyy-MM-dd HH:mm:ss Z"), "\"2024-03-01 08:30:00 +0000\""),
            (.pattern("dd.MM.yyyy"), "\"01.03.2024\""),
            (.pattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX"), "\"2024-03-01T08:30:00.250Z\""),
        ])
    func dates(format: DateFormat, json: String) throws {
        #expect(try roundTrip(Date.self, json, format: format) == json)
        #expect(try roundTrip([Date].self, "[\(json)]", format: format) == "[\(json)]")
    }

    @Test(
        "N3 Seconds and milliseconds are written as whole numbers",
        arguments: [
            (DateFormat.secondsSince1970, "1709281800.5", "1709281801"),
            (.secondsSince1970, "1709281800.499", "1709281800"), (.secondsSince1970, "-0.25", "0"),
            (.millisecondsSince1970, "1795313183307.165", "1795313183307"),
            (.millisecondsSince1970, "1709281800123.5", "1709281800124"), (.millisecondsSince1970, "-0.4", "0"),
        ])
    func wholeDates(format: DateFormat, json: String, written: String) throws {
        #expect(try roundTrip(Date.self, json, format: format) == written)
        #expect(try roundTrip([Date].self, "[\(json)]", format: format) == "[\(written)]")
    }

    @Test("N6 Texts, identifiers, bytes, enums and JSON")
    func texts() throws {
        for json in ["\"\"", "\"a\\\"b\\\\c\\n\\u0001\"", "\"é😀\"", "\"/\""] {
            #expect(try roundTrip(String.self, json) == json)
        }
        let uuid = "\"8c5f2a52-0d1e-4c3b-9a7f-6e5d4c3b2a10\""
        #expect(try roundTrip(UUID.self, uuid) == uuid)
        #expect(try roundTrip(URL.self, "\"https://example.com/a?b=c#d\"") == "\"https://example.com/a?b=c#d\"")
        #expect(try roundTrip(Data.self, "\"aGVsbG8=\"") == "\"aGVsbG8=\"")
        #expect(try roundTrip(Mood.self, "\"Elated\"") == "\"Elated\"")
        #expect(try roundTrip(Priority.self, "11") == "11")
        for json in ["{\"a\":[1,2.5,true,null,\"x\",{}]}", "[]", "null", "123456789012345678901234567890"] {
            #expect(try roundTrip(JSONValue.self, json) == json)
        }
    }

    @Test("N6 A whole record, with numbers as text, a nested key and a pattern; a missing key stays missing")
    func record() throws {
        let json = """
            {"brand":{"url":"https://example.com/b"},"id":7,"image":null,"name":"Lamp","price":"19.9","released_at":\
            "2024-03-01 08:30:00 +0000","tag_ids":[3,1],"weight":"0.5"}
            """
        let product = try JSONDecoder().decode(ProductRepresentation.self, from: Data(json.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode(product), as: UTF8.self) == json)
    }

    @Test("N1 Another spelling of a key is read, and the schema's is written")
    func spelling() throws {
        for key in ["body_text", "bodyText", "BodyText", "body_Text"] {
            let json = "{\"id\":1,\"title\":\"T\",\"\(key)\":\"B\"}"
            let article = try JSONDecoder().decode(ArticleRepresentation.self, from: Data(json.utf8))
            #expect(article.bodyText == "B", "\(key)")
            #expect(String(decoding: try JSONEncoder().encode(article), as: UTF8.self).contains("\"body_text\""))
        }
        let both = "{\"id\":1,\"title\":\"T\",\"bodyText\":\"B\",\"BodyText\":\"C\"}"
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ArticleRepresentation.self, from: Data(both.utf8))
        }
    }

    @Test("M1 Null for a required value with a default differs from a missing key")
    func nullForDefault() throws {
        let json = "{\"id\":1,\"name\":\"N\",\"price\":null,\"weight\":null}"
        var product = try JSONDecoder().decode(ProductRepresentation.self, from: Data(json.utf8))
        #expect(product.omittedKeys.containsNull("price"))
        #expect(!product.omittedKeys.contains("price"))
        #expect(!product.omittedKeys.containsNull("weight"))
        #expect(product.omittedKeys.contains("stock"))
        #expect(!product.omittedKeys.containsNull("stock"))
        product.price = 3
        #expect(!product.omittedKeys.containsNull("price"))
    }
}

private struct WireOption: Sendable {
    let format: DateFormat
    let asText: Bool
}

/// A value that is read and written as an attribute is.
private struct Echo<Value: AttributeValue>: Codable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try Value(
            wire: WireSource(decoder, format: (decoder.userInfo[.wire] as? WireOption)?.format ?? .iso8601))
    }

    func encode(to encoder: any Encoder) throws {
        let option = encoder.userInfo[.wire] as? WireOption
        try value.write(
            to: WireTarget(encoder, format: option?.format ?? .iso8601, asText: option?.asText ?? false))
    }
}

extension CodingUserInfoKey {
    fileprivate static let wire = CodingUserInfoKey(rawValue: "wire").unsafelyUnwrapped
}
