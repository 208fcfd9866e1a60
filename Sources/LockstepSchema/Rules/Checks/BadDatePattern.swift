/// A date pattern must have fields, known letters (Unicode TR 35), and closed quotes.
enum BadDatePattern: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        if let dates = draft.declaration.wire?.dates { check(dates.value, at: dates.range, into: &report) }
        for attribute in draft.attributes where attribute.storedScalar == .date {
            if let wire = attribute.declaration.wire, case .date(let format) = wire.value {
                check(format, at: wire.range, into: &report)
            }
        }
    }

    private static func check(_ format: DateFormat, at range: TextRange, into report: inout Report) {
        guard case .pattern(let pattern) = format, let problem = DatePattern.problem(of: pattern) else { return }
        report.add(
            Diagnostic(
                .badDatePattern, at: range, message: "'\(pattern.shortened)' is not a date pattern: \(problem)",
                remedy: .didYouMean(
                    pattern, among: DateFormat.choices.map(\.value) + ["none"],
                    else: "Write iso8601, secondsSince1970, millisecondsSince1970 or a pattern: 'yyyy-MM-dd HH:mm'.")))
    }

    static let entry = CatalogueEntry(
        code: .badDatePattern,
        title: "Invalid date pattern",
        explanation: """
            The format of dates is `iso8601`, `secondsSince1970`, `millisecondsSince1970`, `microsecondsSince1970`, a \
            number with a fraction (`fractionalSecondsSince1970`, `fractionalMillisecondsSince1970`), or a pattern \
            according to Unicode Technical Standard 35: `yyyy-MM-dd HH:mm:ss Z`. Literal letters are enclosed in \
            single quotes. `YYYY`, `DD` and a month in lowercase are reported, because they are nearly always mistakes.
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

    /// The problem, or `nil`.
    static func problem(of pattern: String) -> String? {
        var isQuoted = false
        var found: Set<UInt8> = []
        for byte in pattern.utf8 {
            if byte == UInt8(ascii: "'") {
                isQuoted.toggle()
            } else if !isQuoted, byte.isASCIILetter {
                guard fields.contains(byte) else { return "the letter '\(Unicode.Scalar(byte))' has no meaning" }
                found.insert(byte)
            }
        }
        if isQuoted { return "a single quote is not closed" }
        return found.isEmpty ? "it has no field" : slip(in: found)
    }

    /// Fields that are easily confused with others, or a pattern that cannot be parsed as a date.
    private static func slip(in fields: Set<UInt8>) -> String? {
        let has = { (letters: String) in letters.utf8.contains(where: fields.contains) }
        if has("Y"), !has("w") { return "'Y' is the week-based year; use 'y' for the year" }
        if has("D") { return "'D' is the day of the year; use 'd' for the day of the month" }
        if has("m"), !has("ML"), !has("HhKk") { return "'m' is the minute; use 'M' for the month" }
        return has("yuY") ? nil : "it has no year, so dates could not be read back"
    }
}

extension DiagnosticCode {
    /// A text that is not a date pattern.
    package static let badDatePattern = DiagnosticCode(rawValue: "bad-date-pattern")
}
