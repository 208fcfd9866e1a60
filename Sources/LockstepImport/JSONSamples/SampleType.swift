/// The type of an attribute in the schema, and how its values are in JSON.
struct SampleType {
    var name: String
    /// A date format, or `string`.
    var wire: WireSketch?
    /// A possible improvement, as a comment in the schema.
    var comment: String?

    static let json = SampleType("json")

    init(_ name: String, wire: WireSketch? = nil, comment: String? = nil) {
        (self.name, self.wire, self.comment) = (name, wire, comment)
    }

    /// The type of scalars; `nil` if they have no common one.
    ///
    /// - Parameters:
    ///   - key: Says whether a number is a time.
    ///   - isReference: Whether it identifies a record, so that its text counts.
    ///   - isElement: Whether it is an element of a list, which has no format for numbers.
    init?(_ member: SampleMemberShape, key: String, isReference: Bool, isElement: Bool = false) {
        switch member.kinds {
        case [.bool]: self.init("bool")
        case [.integer], [.integer, .fraction], [.fraction]:
            self.init(numbers: member, key: key, isReference: isReference)
        case [.text]: self.init(texts: member, key: key, isReference: isReference, isElement: isElement)
        case [.integer, .text] where isReference: self.init("string")
        default: return nil
        }
    }

    private init(numbers member: SampleMemberShape, key: String, isReference: Bool) {
        let summary = member.numbers
        let isWhole = member.count(of: .fraction) == 0
        if !isReference, let unit = Self.unit(of: summary, key: key) {
            let fractional = "fractional" + unit.prefix(1).uppercased() + unit.dropFirst()
            self.init("date", wire: .date(isWhole ? unit : fractional))
        } else if isWhole, summary.fitInteger {
            self.init("int")
        } else if summary.fitDouble || !summary.fitDecimal {
            self.init("double")
        } else {
            self.init("decimal")
        }
    }

    /// The unit of numbers that are times between 1990 and 2100, if the key says that they are.
    private static func unit(of numbers: NumberSummary, key: String) -> String? {
        guard let least = numbers.least, let greatest = numbers.greatest, saysTime(key) else { return nil }
        let seconds = 631_152_000.0...4_102_444_800.0
        if seconds.contains(least), seconds.contains(greatest) { return "secondsSince1970" }
        if seconds.contains(least / 1000), seconds.contains(greatest / 1000) { return "millisecondsSince1970" }
        return nil
    }

    private static func saysTime(_ key: String) -> Bool {
        let words = SampleNames.words(key)
        let times: Set<String> = [
            "at", "on", "date", "time", "timestamp", "ts", "created", "updated", "modified", "deleted", "expires",
            "expiry", "published", "since", "until", "birthday", "deadline",
        ]
        return words.last.map(times.contains) ?? false
    }

    private init(texts member: SampleMemberShape, key: String, isReference: Bool, isElement: Bool) {
        switch member.texts.format {
        case .uuid: self.init("uuid")
        case .capitalUUID:
            self.init("string", comment: isReference ? nil : "UUIDs in upper case, which `uuid` writes in lower case")
        case .url where !isReference: self.init("url")
        case .iso8601 where !isReference: self.init("date")
        case .day where !isReference: self.init("day")
        case .pattern(let pattern) where !isReference: self.init("date", wire: .date(pattern))
        case .integer where Self.isNumber(member, key: key, isReference: isReference, isElement: isElement):
            self.init("int", wire: .text)
        case .decimal where Self.isNumber(member, key: key, isReference: isReference, isElement: isElement):
            self.init("decimal", wire: .text)
        case .paddedDecimal where Self.isNumber(member, key: key, isReference: isReference, isElement: isElement):
            self.init("string", comment: "numbers, which `decimal` writes without zeros at the end")
        default:
            let cases = isElement || isReference ? nil : member.texts.cases
            self.init("string", comment: cases.map { "maybe an enum: \($0.joined(separator: ", "))" })
        }
    }

    /// With fewer texts, that all are numbers may be an accident.
    private static let leastNumbers = 3

    /// Whether texts that are numbers mean numbers: not those of telephones, places and articles.
    private static func isNumber(_ member: SampleMemberShape, key: String, isReference: Bool, isElement: Bool) -> Bool {
        guard !isReference, !isElement, member.texts.count >= leastNumbers else { return false }
        let names: Set<String> = [
            "id", "ids", "phone", "tel", "telephone", "mobile", "fax", "zip", "zipcode", "postal", "postcode", "plz",
            "code", "version", "sku", "isbn", "ean", "gtin", "barcode", "number", "no", "nr", "key", "token", "pin",
            "hash", "ref", "reference", "name", "title", "text", "serial", "iban", "account", "year",
        ]
        return SampleNames.words(key).allSatisfy { !names.contains($0) }
    }
}
