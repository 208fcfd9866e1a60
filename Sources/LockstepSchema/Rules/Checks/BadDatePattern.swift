/// A date pattern has fields, letters that mean something (Unicode TR 35), and quotes that close.
enum BadDatePattern: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        if let dates = draft.declaration.wire?.dates { check(dates.value, dates.range, into: &report) }
        for attribute in draft.attributes where attribute.storedScalar == .date {
            if let wire = attribute.declaration.wire, case .date(let format) = wire.value {
                check(format, wire.range, into: &report)
            }
        }
    }

    private static func check(_ format: DateFormat, _ range: SourceRange, into report: inout Report) {
        guard case .pattern(let pattern) = format, let problem = DatePattern.problem(of: pattern) else { return }
        report.add(
            Diagnostic(
                .badDatePattern, at: range, "'\(pattern.shortened)' is no date pattern: \(problem)",
                remedy: .didYouMean(
                    pattern, among: ["iso8601", "secondsSince1970", "millisecondsSince1970", "none"],
                    else: "Write iso8601, secondsSince1970, millisecondsSince1970 or a pattern such as 'yyyy-MM-dd'.")))
    }

    static let entry = CatalogueEntry(
        code: .badDatePattern,
        title: "Bad date pattern",
        explanation: """
            How dates travel is `iso8601`, `secondsSince1970`, `millisecondsSince1970`, or a pattern by Unicode \
            Technical Standard 35: `yyyy-MM-dd HH:mm:ss Z`. Letters that stand for themselves are between single \
            quotes. `YYYY`, `DD` and a month in small letters are refused, as nearly always a slip.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            wire: { dates: "yyyy-MM-dd'T" }
            entities:
              Entry:
                attributes: { id: uuid, writtenAt: date }
            """,
        right: """
            lockstep: 1
            schema: Journal
            wire: { dates: "yyyy-MM-dd'T'HH:mm" }
            entities:
              Entry:
                attributes: { id: uuid, writtenAt: date }
            """)
}

/// A date pattern of Unicode TR 35.
private enum DatePattern {
    private static let fields = Set("GyYuUrQqMLlwWdDFgEecabBhHkKjJCmsSAzZOvVXx".utf8)

    /// What is wrong with it, or `nil`.
    static func problem(of pattern: String) -> String? {
        var isQuoted = false
        var found: Set<UInt8> = []
        for byte in pattern.utf8 {
            if byte == UInt8(ascii: "'") {
                isQuoted.toggle()
            } else if !isQuoted, byte.isASCIILetter {
                guard fields.contains(byte) else { return "the letter '\(Unicode.Scalar(byte))' means nothing in one" }
                found.insert(byte)
            }
        }
        if isQuoted { return "a single quote is open at its end" }
        return found.isEmpty ? "it has no field" : slip(in: found)
    }

    /// Fields that are easily taken for others, or a pattern from which no date comes back.
    private static func slip(in fields: Set<UInt8>) -> String? {
        let has = { (letters: String) in letters.utf8.contains(where: fields.contains) }
        if has("Y"), !has("w") { return "'Y' is the year of a week; the year is 'y'" }
        if has("D") { return "'D' is the day of the year; the day of the month is 'd'" }
        if has("m"), !has("ML"), !has("HhKk") { return "'m' is minutes; the month is 'M'" }
        return has("yuY") ? nil : "it has no year, so that no date could be read back"
    }
}

extension DiagnosticCode {
    /// A text that is no pattern of dates.
    public static let badDatePattern = DiagnosticCode(rawValue: "bad-date-pattern")
}
