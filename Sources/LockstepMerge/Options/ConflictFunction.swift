import GRDB
import LockstepStore

/// Resolves a conflict of an entity's records, as rows of its table.
protocol ConflictFunction: Sendable {
    /// The entity, by its name in the schema.
    var entity: String { get }

    /// Passes the three rows to the app's function.
    ///
    /// - Returns: The resulting cells, absent for columns that the representation does not contain; `nil` if the record
    ///   is to be deleted.
    func resolve(_ conflict: RowConflict) throws -> [DatabaseValue?]?
}

/// The rows of a record in conflict, with all columns.
struct RowConflict {
    let base: [DatabaseValue]?
    let local: [DatabaseValue]
    let remote: [DatabaseValue]?
    let converter: any RowConverter
}

/// Converts between rows and representations.
protocol RowConverter {
    /// - Returns: `nil` if the row cannot be represented.
    func representation<Object: Model>(_ type: Object.Type, of row: [DatabaseValue]) throws -> Object.Representation?

    /// - Returns: The cells of all columns, absent for those that the representation does not contain.
    /// - Throws: `MergeError` if it cannot be stored.
    func row<Object: Model>(_ type: Object.Type, of value: Object.Representation) throws -> [DatabaseValue?]
}

/// A function of an app that uses the representations of its entity.
struct TypedConflictFunction<Object: Model>: ConflictFunction {
    typealias Value = Object.Representation

    let resolve: @Sendable (Value?, Value, Value?) throws -> Value?

    var entity: String { Object.entity.name }

    func resolve(_ conflict: RowConflict) throws -> [DatabaseValue?]? {
        let make = { (values: [DatabaseValue]) in try conflict.converter.representation(Object.self, of: values) }
        guard let local = try make(conflict.local) else { return conflict.local }
        let (base, remote) = (try conflict.base.flatMap(make), try conflict.remote.flatMap(make))
        let result: Value?
        do { result = try resolve(base, local, remote) } catch let error as CancellationError { throw error } catch {
            throw MergeError(
                .hook, entity: entity, reason: "the conflict function threw \(type(of: error))",
                remedy: "See `underlyingError`. The merge was rolled back.", underlyingError: error)
        }
        return try result.map { try conflict.converter.row(Object.self, of: $0) }
    }
}
