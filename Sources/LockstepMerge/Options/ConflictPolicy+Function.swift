import GRDB
public import LockstepStore

extension ConflictPolicy {
    /// A function decides. It gets the record before the first local edit that is not pushed, the local one, and the
    /// server's.
    ///
    /// It is called if a value was changed on both sides, and if a record that was edited locally was deleted on the
    /// server. It runs inside the merge's transaction and must not use the store.
    ///
    /// ```swift
    /// let policy = ConflictPolicy.custom(Entry.self) { base, local, remote in
    ///     guard var merged = remote else { return local }   // deleted on the server: keep it
    ///     merged.bodyText = [remote?.bodyText, local.bodyText].compactMap(\.self).joined(separator: "\n")
    ///     return merged
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model whose records the policy decides about. It cannot be used for others.
    ///   - resolve: Returns the resulting record, or `nil` to delete it. `base` is `nil` for a record that was created
    ///     locally, and for one of which the server has not stored a required value; `remote` for one that was deleted
    ///     on the server. Attributes and foreign keys of the result are used; lists and embedded records are merged
    ///     separately, and have their local values. If it throws, the merge ends with a `MergeError` with the code
    ///     `hook`.
    public static func custom<Object: Model>(
        _ type: Object.Type,
        _ resolve:
            @escaping @Sendable (
                _ base: Object.Representation?, _ local: Object.Representation, _ remote: Object.Representation?
            ) throws -> Object.Representation?
    ) -> ConflictPolicy {
        ConflictPolicy(RepresentationFunction<Object>(decide: resolve))
    }
}

/// A function of an app that uses the representations of its entity.
private struct RepresentationFunction<Object: Model>: RepresentationConflictFunction {
    typealias Value = Object.Representation

    let decide: @Sendable (Value?, Value, Value?) throws -> Value?

    var entity: String { Object.entity.name }

    func resolve(
        _ conflict: RowConflict, with maker: RepresentationMaker, in transaction: MergeTransaction
    ) throws -> [DatabaseValue?]? {
        let make = { (values: [DatabaseValue]) in try maker.make(Object.self, of: values, in: transaction.database) }
        guard let local = try make(conflict.local) else { return conflict.local }
        let plan = Object.entity.plan
        let base = try conflict.base.flatMap { try plan.allows($0) ? make($0) : nil }
        let remote = try conflict.remote.flatMap(make)
        let result: Value?
        do { result = try decide(base, local, remote) } catch let error as CancellationError { throw error } catch {
            throw MergeError(
                .hook, entity: entity, reason: "the conflict function threw \(type(of: error))",
                remedy: "See `underlyingError`. The merge was rolled back.", underlyingError: error)
        }
        return try result.map { try transaction.row(of: $0, entity: Object.entity) }
    }
}

private protocol RepresentationConflictFunction: ConflictFunction {
    func resolve(
        _ conflict: RowConflict, with maker: RepresentationMaker, in transaction: MergeTransaction
    ) throws -> [DatabaseValue?]?
}

/// Calls the functions of the policies that ``ConflictPolicy/custom(_:_:)`` makes.
struct RepresentationFunctionCaller: ConflictFunctionCaller {
    let maker: RepresentationMaker

    func resolve(
        _ conflict: RowConflict, by function: any ConflictFunction, in transaction: MergeTransaction
    ) throws -> [DatabaseValue?]? {
        guard let function = function as? any RepresentationConflictFunction else {
            preconditionFailure("\(type(of: function)) is not one of a policy")
        }
        return try function.resolve(conflict, with: maker, in: transaction)
    }
}
