import LockstepEvolution

extension Code.Interpolation {
    /// A name, quoted.
    mutating func appendInterpolation(name: String) {
        var writer = SQLWriter(dialect: .postgresql)
        writer.identifier(name)
        appendInterpolation(Code(linesInLiteral: String(decoding: writer.bytes, as: UTF8.self)))
    }

    /// A text as a literal, on one line.
    mutating func appendInterpolation(quoted text: String) {
        var characters = ""
        var hasEscapes = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'": characters += "''"
            case "\\": (characters, hasEscapes) = (characters + "\\\\", true)
            case _ where scalar.properties.generalCategory == .control || Character(scalar).isNewline:
                let digits = String(scalar.value, radix: 16)
                characters += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                hasEscapes = true
            default: characters.unicodeScalars.append(scalar)
            }
        }
        appendInterpolation(Code(linesInLiteral: (hasEscapes ? "E'" : "'") + characters + "'"))
    }
}

/// A function of the server.
struct ServerFunction {
    /// The name with its parameters: `lockstep_expire(days integer)`.
    let signature: Code
    let result: Code
    /// What it is for, and why it is as it is: the lines of a comment.
    let comment: Code
    let language: Language
    /// Whether it has the rights of its owner: it reads what the user who calls it may not.
    var isDefiner = true
    var isStable = false
    /// Whether it has a search path of its own. Without one, the planner may put a function in SQL in place of a call,
    /// and a call takes half the time. It names nothing outside of `pg_catalog`, or is called by functions with a path.
    var hasSearchPath = true
    /// Settings that are in effect while it runs.
    var settings: [Code] = []
    let body: Code

    /// PL/pgSQL keeps the plans of a session. A function in SQL is planned with each statement that calls it, so it is
    /// for what the planner puts in place of a call, and for what is called rarely.
    enum Language: String { case sql, plpgsql }

    /// The settings of functions that look up a page of rows: each by its key, however many rows the tables have, and
    /// with a plan that is made once. Estimates of an empty table would otherwise decide the plan of a full one.
    static let probing: [Code] = [
        "enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off", "jit = off",
        "plan_cache_mode = force_generic_plan",
    ]

    var statement: Code {
        let tag = Self.dollarTag(for: body)
        let volatility: Code = isStable ? " STABLE" : ""
        let rights: Code = isDefiner ? " SECURITY DEFINER" : ""
        let path: [Code] = hasSearchPath ? ["search_path FROM CURRENT"] : []
        let settings = Code.joined((path + self.settings).map { " SET \($0)" }, separator: "")
        return """
            \(comment)
            CREATE OR REPLACE FUNCTION \(signature) RETURNS \(result)
                LANGUAGE \(language.rawValue)\(volatility)\(rights)\(settings) AS \(tag)
            \(body)
            \(tag);
            """
    }

    /// A block that is executed once.
    static func block(_ body: Code) -> Code {
        let tag = dollarTag(for: body)
        return """
            DO \(tag)
            \(body)
            \(tag);
            """
    }

    private static func dollarTag(for body: Code) -> Code {
        Code(SQLWriter.dollarTag(for: String(decoding: body.bytes, as: UTF8.self)))
    }
}

extension Code.Interpolation {
    /// The name of an object of PostgreSQL as a literal: shortened as the object's is.
    mutating func appendInterpolation(object name: String) {
        appendInterpolation(quoted: SQLDialect.postgresql.accepted(name))
    }
}

extension Code {
    /// A path of keys as an array.
    static func path(_ keys: [String]) -> Code {
        "ARRAY[\(joined(keys.map { "\(quoted: $0)" }, separator: ", "))]"
    }

    /// What a JSON object has under a path of keys.
    static func member(_ keys: [String], of object: Code) -> Code {
        keys.count == 1 ? "(\(object) -> \(quoted: keys[0]))" : "(\(object) #> \(path(keys)))"
    }

    /// Joins conditions, each as it is, by `AND`.
    static func all(_ conditions: [Code]) -> Code { joined(conditions, separator: " AND ") }
}
