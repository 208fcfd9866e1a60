public import Foundation

/// Default values of a schema that have no Swift literal. Generated code calls these with texts that the schema's
/// checks have validated.
public enum SchemaLiteral {
    /// The exact number with these digits.
    public static func decimal(_ digits: String) -> Decimal {
        guard let value = Decimal(exactly: digits) else { fail("decimal", text: digits) }
        return value
    }

    public static func day(_ text: String) -> Day {
        guard let value = Day(text) else { fail("day", text: text) }
        return value
    }

    public static func uuid(_ text: String) -> UUID {
        guard let value = UUID(uuidString: text) else { fail("uuid", text: text) }
        return value
    }

    public static func url(_ text: String) -> URL {
        guard let value = URL(string: text) else { fail("url", text: text) }
        return value
    }

    /// The value of a JSON text.
    public static func json(_ text: String) -> JSONValue {
        guard let value = JSONValue(storedValue: text.databaseValue) else { fail("json", text: text) }
        return value
    }

    private static func fail(_ type: String, text: String) -> Never {
        preconditionFailure("The schema's default '\(text)' is not a \(type). Generate the code again from its schema.")
    }
}
