/// Functions that convert values of one type of column to another in PostgreSQL; `NULL` if they cannot.
///
/// They exist while both shapes of a table do.
package enum PostgreSQLConversion {
    /// A call of the function, and whether its result may be `NULL` for a value that is not.
    package static func call(_ value: String, from former: SQLType, to new: SQLType) -> (sql: String, mayFail: Bool) {
        if former == new { return (value, false) }
        if isWidening(from: former, to: new) { return ("CAST(\(value) AS \(name(new)))", false) }
        return ("\(function(from: former, to: new))(\(value))", true)
    }

    /// Whether a column can be given the new type in place, for readers and writers of both.
    package static func isWidening(from former: SQLType, to new: SQLType) -> Bool {
        switch (former, new) {
        case (.smallInteger, .integer), (.smallInteger, .bigInteger), (.integer, .bigInteger), (.real, .double): true
        default: false
        }
    }

    /// The statements that create the functions which some SQL calls.
    package static func functions(calledIn statements: [String]) -> [(create: String, drop: String)] {
        var functions: [(create: String, drop: String)] = []
        for former in types {
            for new in types where former != new {
                let function = function(from: former, to: new)
                guard statements.contains(where: { $0.contains(function + "(") }) else { continue }
                let create = """
                    CREATE OR REPLACE FUNCTION \(function)(value \(name(former))) RETURNS \(name(new))
                        LANGUAGE plpgsql AS $lockstep$
                    BEGIN
                        RETURN \(expression(from: former, to: new));
                    EXCEPTION WHEN OTHERS THEN
                        RETURN NULL;
                    END
                    $lockstep$
                    """
                functions.append((create, "DROP FUNCTION IF EXISTS \(function)(\(name(former)))"))
            }
        }
        return functions
    }

    private static let types: [SQLType] = [
        .boolean, .smallInteger, .integer, .bigInteger, .real, .double, .numeric, .timestamp, .day, .uuid, .text,
        .bytes, .json,
    ]

    package static func name(_ type: SQLType) -> String { "\(SQLDialect.postgresql.name(of: type))" }

    private static func function(from former: SQLType, to new: SQLType) -> String {
        func word(_ type: SQLType) -> String { name(type).lowercased().split(separator: " ").joined(separator: "_") }
        return "lockstep_\(word(former))_to_\(word(new))"
    }

    private static func expression(from former: SQLType, to new: SQLType) -> String {
        let type = name(new)
        switch (new, former) {
        case (.json, .bytes): return "to_jsonb(encode(value, 'base64'))"
        case (.json, _): return "to_jsonb(value)"
        case (_, .json): return new == .text ? "value #>> '{}'" : "CAST(value #>> '{}' AS \(type))"
        case (.text, .bytes): return "encode(value, 'base64')"
        case (.text, .timestamp):
            return "to_char(value AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
        case (.text, .day): return "to_char(value, 'YYYY-MM-DD')"
        case (.text, _): return "CAST(value AS TEXT)"
        case (.bytes, .text): return "decode(value, 'base64')"
        case (.uuid, .text): return "CAST(value AS UUID)"
        case (.day, .timestamp): return "CAST(value AT TIME ZONE 'UTC' AS DATE)"
        case (.timestamp, .day): return "CAST(value AS TIMESTAMP) AT TIME ZONE 'UTC'"
        // PostgreSQL also reads other texts, such as 'today'.
        case (.day, .text):
            let midnight = "([Tt ]00:00(:00([.,]0+)?)? ?([Zz]|[+-][0-9:]+)?)?"
            let isDay = "value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}\(midnight)$'"
            return "CASE WHEN \(isDay) THEN CAST(left(value, 10) AS DATE) END"
        case (.day, _), (_, .day): return "NULL"
        case (.bytes, _), (.uuid, _), (_, .bytes), (_, .uuid): return "NULL"
        case (.timestamp, .text): return "CAST(value AS TIMESTAMPTZ)"
        case (.timestamp, .boolean), (.boolean, .timestamp): return "NULL"
        case (.timestamp, _): return "to_timestamp(CAST(value AS DOUBLE PRECISION))"
        case (.boolean, .text): return "CAST(value AS BOOLEAN)"
        case (.boolean, _): return "CASE value WHEN 1 THEN TRUE WHEN 0 THEN FALSE END"
        case (_, .boolean): return "CAST(CAST(value AS INTEGER) AS \(type))"
        case (_, .timestamp): return whole(new, number: "extract(epoch FROM value)")
        case (_, .text): return whole(new, number: "CAST(value AS NUMERIC)")
        default: return whole(new, number: "value")
        }
    }

    /// A number as another type of number: an integer only if it is one.
    private static func whole(_ type: SQLType, number: String) -> String {
        let cast = "CAST(\(number) AS \(name(type)))"
        switch type {
        case .smallInteger, .integer, .bigInteger: return "CASE WHEN \(number) = trunc(\(number)) THEN \(cast) END"
        default: return cast
        }
    }
}
