package import GRDB

/// A conversion of rows that is written in Swift by the app. Generated schemas list theirs; do not create others.
public struct RowConversion: Sendable {
    /// Identifies it in the history: the names of its version and its entity.
    package let id: String
    let outputs: @Sendable (ConversionRow) throws -> [(any AttributeValue)?]

    /// - Parameters:
    ///   - id: The names of the version and the entity: `split-name/Person`.
    ///   - outputs: Returns the new values of a row, in the order of the attributes' names. It must return the same
    ///     result for the same row, because a record and the server's values of it are converted separately.
    @_spi(Generated) public init(
        _ id: String, outputs: @escaping @Sendable (ConversionRow) throws -> [(any AttributeValue)?]
    ) {
        self.id = id
        self.outputs = outputs
    }
}

/// The row that a conversion gets: the values of its inputs, and the initial values of its outputs.
@_spi(Generated) public struct ConversionRow {
    private let values: ArraySlice<DatabaseValue>

    init(_ values: ArraySlice<DatabaseValue>) { self.values = values }

    /// The values of the columns as they are stored.
    package var storedValues: [DatabaseValue] { Array(values) }

    /// A value of a required attribute.
    ///
    /// - Throws: ``ConversionError`` if the column has a value of another type.
    @_spi(Generated) public func value<Value: AttributeValue>(_ index: Int) throws -> Value {
        let stored = values[values.startIndex + index]
        guard let value = Value(storedValue: stored) else {
            throw ConversionError("a column has \(stored) instead of a value of type \(Value.self)")
        }
        return value
    }

    /// The initial value of a required attribute that the conversion sets.
    @_spi(Generated) public func initialValue<Value: AttributeValue>(_ index: Int) -> Value {
        Value(storedValue: values[values.startIndex + index]) ?? .placeholder
    }

    /// A value of an optional attribute.
    ///
    /// - Throws: ``ConversionError`` if the column has a value of another type.
    @_spi(Generated) public func optionalValue<Value: AttributeValue>(_ index: Int) throws -> Value? {
        values[values.startIndex + index].isNull ? nil : try value(index)
    }
}

/// Why a conversion could not convert a row.
public struct ConversionError: Error, Sendable, Hashable, CustomStringConvertible {
    @_spi(Requirements) public let description: String

    /// - Parameter reason: A sentence without a full stop, for developers.
    public init(_ reason: String) { description = reason }
}

/// `lockstep_conversion(output, initial, id, values…)`: one value that a conversion makes of a row, or the initial one
/// if it throws. For the output -1, the error; NULL if there is none.
///
/// All outputs of a row are computed by one call: the statements of a migration ask for them one after the other.
final class RowConversionFunction {
    private let conversions: [String: RowConversion]
    /// The last row, and what was made of it.
    private var last: (row: [DatabaseValue], result: Result<[DatabaseValue], any Error>)?

    private init(_ conversions: [RowConversion]) {
        self.conversions = Dictionary(conversions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    static func add(_ conversions: [RowConversion], to database: Database) {
        let function = RowConversionFunction(conversions)
        SQLiteFunction.add("lockstep_conversion", to: database) { try function.value($0) }
    }

    private func value(_ arguments: [DatabaseValue]) throws -> DatabaseValue {
        guard arguments.count > 2, let output = Int.fromDatabaseValue(arguments[0]) else { return .null }
        switch try result(of: Array(arguments[2...])) {
        case .success(let values): return values.indices.contains(output) ? values[output] : .null
        case .failure(let error): return output < 0 ? String(describing: error).databaseValue : arguments[1]
        }
    }

    private func result(of row: [DatabaseValue]) throws -> Result<[DatabaseValue], any Error> {
        // Texts that look alike may differ, and are converted each.
        if let last, last.row.isIdentical(to: row) { return last.result }
        guard let id = String.fromDatabaseValue(row[0]), let conversion = conversions[id] else {
            throw MigrationFailure(reason: "the schema has no conversion “\(row[0])”")
        }
        let result = Result {
            try conversion.outputs(ConversionRow(row[1...])).map { value in
                // “Not a number”, for example, would be stored as NULL.
                if let value, let violation = Self.violation(value) { throw violation }
                return value?.storedValue ?? .null
            }
        }
        last = (row, result)
        return result
    }

    private static func violation(_ value: some AttributeValue) -> ConversionError? {
        value.violation(of: Limits()).map { ConversionError("it makes a value that cannot be stored: \($0)") }
    }
}
