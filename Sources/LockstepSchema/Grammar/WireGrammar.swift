/// The keys of `wire:` at the top of a file.
enum WireKeys {
    static let names = GrammarKey(
        "names",
        kind: .choice(
            [NameSpelling.asWritten, .snake_case, .camelCase],
            documentation: [
                "Names are not changed.", "`createdAt` becomes `created_at`.",
                "`created_at` becomes `createdAt`.",
            ]),
        fallback: "`asWritten`", documentation: "The style of JSON keys.", example: "names: snake_case")
    static let paths = GrammarKey(
        "paths",
        kind: .choice(
            [PathSpelling.snake_case, .names, .kebabCase],
            documentation: [
                "`JobSheet` is at `/job_sheets`.",
                "As `names` says: `/jobSheets` with `camelCase`, `/JobSheets` with `asWritten`.",
                "`JobSheet` is at `/job-sheets`.",
            ]),
        fallback: "`snake_case`",
        documentation: "The style of the paths of collections that have none of their own (`remote: { path: … }`).",
        example: "paths: kebab-case")
    static let dates = GrammarKey(
        "dates", kind: DateFormat.kind(others: []), fallback: "`iso8601`",
        documentation: "The format of dates in JSON.",
        example: "dates: secondsSince1970")
    static let uuids = GrammarKey(
        "uuids",
        kind: .choice(
            [UUIDSpelling.lower, .upper],
            documentation: [
                "`6f1c2a3b-…`, as PostgreSQL, Rails and most servers write them.",
                "`6F1C2A3B-…`, as `UUID().uuidString` writes them on Apple platforms.",
            ]),
        fallback: "`lower`",
        documentation: "How UUIDs in identities are sent that the device makes. Those of the server keep its spelling.",
        example: "uuids: upper")
    static let compatible = GrammarKey(
        "compatible",
        kind: .choice(
            [CompatibilityMode.none, .full],
            documentation: [
                "Apps and servers are compared only by `lockstep check --compatible-with`.",
                "`lockstep check` compares with every supported version, and nothing may depend on the server.",
            ]),
        fallback: "`none`", documentation: "Whether apps and servers of all supported versions understand each other.",
        example: "compatible: full")

    static let kind = ValueParser<WireDeclaration>(.section("wire")) { node, key, reading in
        guard case .mapping(let entries) = node.content else { return reading.fail(.wrongKind(node, under: key)) }
        let fields = Fields(entries, of: .wire, owner: Located("", range: node.range), reading: &reading)
        return WireDeclaration(
            names: fields.locate(names, into: &reading), paths: fields.locate(paths, into: &reading),
            dates: fields.locate(dates, into: &reading), uuids: fields.locate(uuids, into: &reading),
            compatible: fields.locate(compatible, into: &reading))
    }
}

extension DateFormat {
    static let choices = [
        Choice(
            "iso8601",
            documentation: "`2024-05-01T12:30:00Z`. Fractions of a second are read, and written if they are not zero."),
        Choice(
            "secondsSince1970",
            documentation: "A whole number of seconds. Fractions are read, and rounded when written."),
        Choice(
            "millisecondsSince1970",
            documentation: "A whole number of milliseconds. Fractions are read, and rounded when written."),
        Choice(
            "microsecondsSince1970",
            documentation: "A whole number of microseconds, which is the precision of stored dates."),
        Choice("fractionalSecondsSince1970", documentation: "A number of seconds, with a fraction if it is not zero."),
        Choice(
            "fractionalMillisecondsSince1970",
            documentation: "A number of milliseconds, with a fraction if it is not zero."),
    ]

    /// One of the named formats, or a pattern. A word that is similar to one of the names or of `others` is not a
    /// pattern.
    static func kind(others: [Choice]) -> ValueParser<DateFormat> {
        let shape = ValueShape.either([.choice(choices + others), .text])
        return ValueParser(shape) { node, key, reading in
            guard let text = node.presentText else { return reading.fail(.wrongKind(node, under: key)) }
            let names = (choices + others).map(\.value)
            if text.utf8.allSatisfy(\.isASCIILetterOrDigit), !names.contains(text),
                nearest(to: text, among: names) != nil
            {
                return reading.fail(.notAllowed(text, at: node.range, under: key.name, allowed: names))
            }
            return DateFormat(text)
        }
    }

    init(_ text: String) {
        switch text {
        case "iso8601": self = .iso8601
        case "secondsSince1970": self = .secondsSince1970
        case "millisecondsSince1970": self = .millisecondsSince1970
        case "microsecondsSince1970": self = .microsecondsSince1970
        case "fractionalSecondsSince1970": self = .fractionalSecondsSince1970
        case "fractionalMillisecondsSince1970": self = .fractionalMillisecondsSince1970
        default: self = .pattern(text)
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension GrammarSection {
    static let wire = GrammarSection(
        "wire", noun: "'wire'", title: "Wire",
        documentation: """
            The format of names and values in the server's JSON. `key:` and `wire:` of a member take precedence. A \
            date pattern is a Unicode date pattern (UTS #35), read and written in UTC and in English.
            """,
        keys: [
            WireKeys.names.description, WireKeys.paths.description, WireKeys.dates.description,
            WireKeys.uuids.description, WireKeys.compatible.description,
        ],
        example: """
            wire:
              names: snake_case
              dates: "yyyy-MM-dd HH:mm:ss Z"
            """)
}
