import GRDB
import LockstepStore

/// Decides a conflict of an entity's records, seen as rows of its table.
protocol ConflictFunction: Sendable {
    /// The entity, by its name in the schema.
    var entity: String { get }

    /// Gives the three rows to the app's function.
    ///
    /// - Parameter conflict: The rows, and what makes representations of them.
    /// - Returns: The cells that count, absent where the representation does not carry a column; `nil` where the record
    ///   is to be deleted.
    func resolve(_ conflict: RowConflict) throws -> [DatabaseValue?]?
}

/// The rows of a record that is to be decided about, all columns of each.
struct RowConflict {
    let base: [DatabaseValue]?
    let local: [DatabaseValue]
    let remote: [DatabaseValue]?
    let run: MergeRun
    let maker: RepresentationMaker
}

/// A function of an app, with the representations of its entity.
struct TypedConflictFunction<Object: Model>: ConflictFunction {
    typealias Value = Object.Representation

    let resolve: @Sendable (Value?, Value, Value?) throws -> Value?

    var entity: String { Object.entity.name }

    func resolve(_ conflict: RowConflict) throws -> [DatabaseValue?]? {
        let database = conflict.run.database
        let make = { (values: [DatabaseValue]) in
            try conflict.maker.make(Object.self, of: values, in: database)
        }
        guard let local = try make(conflict.local) else { return conflict.local }
        let (base, remote) = (try conflict.base.flatMap(make), try conflict.remote.flatMap(make))
        let result: Value?
        do { result = try resolve(base, local, remote) } catch let error as CancellationError { throw error } catch {
            throw MergeError(
                .hook, entity: entity, reason: "the function that decides conflicts threw \(type(of: error))",
                remedy: "See `underlyingError`; nothing of the merge was kept.", underlyingError: error)
        }
        guard let result else { return nil }
        return try values(of: result, conflict)
    }

    /// The columns that a representation carries, read as those of a merge are.
    private func values(of result: Value, _ conflict: RowConflict) throws -> [DatabaseValue?] {
        let run = conflict.run
        guard let place = run.plan.place(of: Object.entity.plan) else { return [] }
        let staging = Staging(run.planWithoutHooks)
        let problems = ConflictProblems()
        let reader = RecordReader(staging, problems, missingKeys: .keep)
        let entity = run.planWithoutHooks.entities[place]
        let row = try RepresentationReader(reader, entity).read(result, entity, Origin(record: 0))
        try LinkResolver(staging: staging, identities: run.identities).resolve()
        let table = staging.tables[place]
        if staging.isSkipped(row, of: place) || problems.reason != nil {
            throw MergeError(
                .invalidRecord, entity: entity.plan.name,
                reason: "what the function that decides conflicts returned \(problems.reason ?? "cannot be stored")",
                remedy: "Let it return a record within the schema's limits; nothing of the merge was kept.")
        }
        let cells = table.row(row)
        return table.entity.plan.columns.indices.map { column in
            cells[column].kind == .absent ? nil : cells[column].databaseValue
        }
    }
}

/// What is wrong with what a function returned.
private final class ConflictProblems: SkipRecorder {
    private(set) var reason: String?

    func skip(
        _ entity: MergeEntity, record: Int, row: Int, path: [String], reason: String, isIdentityMissing: Bool
    ) throws {
        // Of an entity whose identity the server makes, a record that has none yet has none to show.
        if !isIdentityMissing { self.reason = "\(path.joined(separator: ".")) \(reason)" }
    }
}
