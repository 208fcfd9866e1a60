import TestSupport

/// An entity of a random schema on its way to YAML.
struct RandomEntity {
    enum Identity: Equatable {
        case int, string, uuid, composite, none
        /// Made on the device, with the server's of this type.
        case local(String)
    }

    let name: String
    let identity: Identity
    var attributes: [String] = []
    var relationships: [String] = []

    init(name: String, identity: Identity) {
        self.name = name
        self.identity = identity
    }

    var yaml: String {
        var lines = ["  \(name):", "    identity: \(identityText)", "    attributes:"]
        lines += (identityAttributes + attributes).map { "      \($0)" }
        if !relationships.isEmpty { lines += ["    relationships:"] + relationships.map { "      \($0)" } }
        return lines.joined(separator: "\n")
    }

    private var identityText: String {
        switch identity {
        case .int, .string, .uuid: "id"
        case .composite: "[country, number]"
        case .local: "{ local: localID, remote: remoteID }"
        case .none: "none"
        }
    }

    private var identityAttributes: [String] {
        switch identity {
        case .int: ["id: int"]
        case .string: ["id: string"]
        case .uuid: ["id: uuid"]
        case .composite: ["country: string", "number: int"]
        case .local(let type): ["localID: uuid", "remoteID: { type: \(type)?, key: id }"]
        case .none: []
        }
    }

    /// What an attribute can be: names, the type, and options that one of may be taken.
    private struct Choice {
        let names: [String]
        let type: String
        let defaults: String
        var options: [String] = []
        var isNumeric = false
    }

    private static func choices(_ enumerations: [String]) -> [Choice] {
        [
            Choice(
                names: ["title", "bodyText"], type: "string", defaults: "\"as \\\"ever\\\"\"",
                options: ["minLength: 1", "maxLength: 6"]),
            Choice(names: ["isOpen", "wasSeen"], type: "bool", defaults: "true", isNumeric: true),
            Choice(
                names: ["stock", "viewCount"], type: "int", defaults: "7", options: ["min: 0", "max: 1000"],
                isNumeric: true),
            Choice(names: ["smallRank"], type: "int16", defaults: "-1", isNumeric: true),
            Choice(names: ["mediumRank"], type: "int32", defaults: "3", isNumeric: true),
            Choice(names: ["largeRank"], type: "int64", defaults: "9223372036854775807", isNumeric: true),
            Choice(names: ["ratio"], type: "float", defaults: "0.5", isNumeric: true),
            Choice(names: ["netWeight"], type: "double", defaults: "1.25", options: ["min: -100.5"], isNumeric: true),
            Choice(names: ["unitPrice"], type: "decimal", defaults: "12.5", options: ["min: 0.5"], isNumeric: true),
            Choice(names: ["createdAt", "seenAt"], type: "date", defaults: "now"),
            Choice(names: ["openedOn"], type: "date", defaults: "\"2020-02-29\"", options: ["wire: yyyy-MM-dd"]),
            Choice(names: ["shareToken"], type: "uuid", defaults: "new"),
            Choice(names: ["homeURL"], type: "url", defaults: "\"https://example.com/a?b=c\""),
            Choice(names: ["thumbnail"], type: "data", defaults: "\"aGVsbG8=\"", options: ["maxLength: 12"]),
            Choice(names: ["extraInfo"], type: "json", defaults: "{ a: [1, true, null] }"),
            Choice(names: ["mood"], type: enumerations[0], defaults: "neutral"),
            Choice(names: ["level"], type: enumerations[1], defaults: "high"),
            Choice(names: ["keyWords"], type: "[string]", defaults: "[]", options: ["maxLength: 3"]),
            Choice(names: ["scores"], type: "[int]", defaults: "[1, 2]"),
        ]
    }

    mutating func addAttributes(enumerations: [String], _ random: inout SeededRandom) {
        let count = Int.random(in: 3...5, using: &random)
        for choice in Self.choices(enumerations).shuffled(using: &random).prefix(count) {
            let isOptional = Bool.random(using: &random)
            let type =
                isOptional ? (choice.type.hasPrefix("[") ? "\"\(choice.type)?\"" : "\(choice.type)?") : choice.type
            var parts = ["type: \(type)"]
            if !isOptional, Bool.random(using: &random) { parts.append("default: \(choice.defaults)") }
            if let option = choice.options.randomElement(using: &random), Bool.random(using: &random) {
                parts.append(option)
            }
            if choice.isNumeric, random.isOne(in: 4) { parts.append("wire: string") }
            let name = random.element(of: choice.names)
            if random.isOne(in: 5) { parts.append("key: [links, \(name)]") }
            attributes.append("\(name): { \(parts.joined(separator: ", ")) }")
        }
        // What no server knows, and what no two records share.
        if random.isOne(in: 4) { attributes.append("draftText: { type: string?, wire: none }") }
        if identity != .none, random.isOne(in: 2) { attributes.append("serialCode: { type: string?, unique: true }") }
    }
}
