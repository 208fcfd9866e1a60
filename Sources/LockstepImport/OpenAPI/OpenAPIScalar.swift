import LockstepJSON

/// The type of the language for a scalar schema.
struct OpenAPIScalar {
    /// `nil` if no type fits.
    private(set) var type = "json"
    /// The format in JSON, if it is not the usual one.
    private(set) var wire: WireSketch?
    /// The decision, or the reason that something is not checked.
    private(set) var decision: String?
    private(set) var loss: String?

    init(_ value: OpenAPIValue) {
        let types = value.types
        let formatNode = value.node["format"]
        let format = formatNode?.text
        switch types {
        case ["string"]: readText(format, value: value)
        case ["integer"]: readInteger(format)
        case ["number"], ["integer", "number"], ["number", "integer"]: readNumber(format)
        case ["boolean"]:
            type = "bool"
            if let format { loss = "format \(format)" }
        case []:
            decision = "has no type"
            if let format { loss = "format \(format)" }
        default:
            decision = "has one of the types \(types.joined(separator: ", "))"
            if let format { loss = "format \(format)" }
        }
    }

    private mutating func readText(_ format: String?, value: OpenAPIValue) {
        type = "string"
        if let encoding = value.node.peek("contentEncoding")?.text {
            _ = value.node["contentEncoding"]
            if ["base64", "base64url"].contains(encoding.lowercased()) {
                type = "data"
                if encoding.lowercased() == "base64url" { loss = "contentEncoding base64url: `data` is base64" }
                return
            }
            loss = "contentEncoding \(encoding)"
        }
        switch format {
        case nil: break
        case "date-time", "datetime", "timestamp": type = "date"
        case "date": type = "day"
        case "uuid", "guid": type = "uuid"
        case "uri", "url", "iri": type = "url"
        case "byte", "base64": type = "data"
        case "binary":
            type = "data"
            decision = "is binary, and JSON has it as base64"
        case "decimal", "money", "bignum":
            type = "decimal"
            wire = .text
        case "int64", "int32", "long", "integer":
            type = format == "int32" ? "int32" : "int"
            wire = .text
        case "double", "float", "number":
            type = format == "float" ? "float" : "double"
            wire = .text
        case let other?: loss = "format \(other)"
        }
    }

    private mutating func readInteger(_ format: String?) {
        switch format {
        case nil, "int64", "long", "integer": type = "int"
        case "int32", "int": type = "int32"
        case "int16", "short": type = "int16"
        case "unix-time", "unixtime", "timestamp", "epoch":
            type = "date"
            wire = .date("secondsSince1970")
            decision = "is a date in seconds since 1970"
        case let other?:
            type = "int"
            loss = "format \(other)"
        }
    }

    private mutating func readNumber(_ format: String?) {
        switch format {
        case nil, "double": type = "double"
        case "float": type = "float"
        case "decimal", "money": type = "decimal"
        case "int64", "long", "integer": type = "int"
        case "int32": type = "int32"
        case let other?:
            type = "double"
            loss = "format \(other)"
        }
    }
}
