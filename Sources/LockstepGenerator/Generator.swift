package import LockstepEvolution
import Dispatch
package import LockstepSchema

/// The options of a run of the generator, in addition to the schema.
package struct GenerationOptions: Hashable, Sendable {
    /// The access level of generated declarations; `nil` for that of the schema.
    package var access: AccessLevel?
    /// The dialects to write `.sql` files for.
    package var dialects: [SQLDialect]
    /// Whether to write the SQL that makes a PostgreSQL server of the tables, for a schema with scopes.
    package var hasServer = false
    /// The number of Swift files for all declarations; `nil` for one file for each declaration, with its name.
    package var shards: Int?

    package init(access: AccessLevel? = nil, dialects: [SQLDialect] = [.sqlite], shards: Int? = nil) {
        self.access = access
        self.dialects = dialects
        self.shards = shards
    }
}

/// Generates all output of a schema: Swift files and SQL.
///
/// A pure function: the same schema and options return the same bytes, in the same order. Paths begin with the schema's
/// name: `Journal/Entry.swift`.
package func generate(_ schema: Schema, options: GenerationOptions = GenerationOptions()) -> [GeneratedFile] {
    generate(schema, options: options, history: nil)
}

/// The same for a schema with a history, which is compiled in; `nil` if it has none.
package func generate(_ schema: Schema, options: GenerationOptions, history: SchemaHistory?) -> [GeneratedFile] {
    let emitter = SwiftEmitter(schema, access: options.access ?? schema.access, history: history)
    let files =
        options.dialects.map { FileJob.sql($0) } + (options.hasServer ? [.server] : [])
        + (options.shards.map { sharded(emitter, into: $0) } ?? filePerUnit(emitter))
    return concurrentMap(files) { file -> GeneratedFile? in
        switch file {
        case .server:
            serverSQL(for: schema).map {
                GeneratedFile(path: "\(schema.name)/\(serverFileName(for: schema))", contents: $0)
            }
        case .sql(let dialect):
            GeneratedFile(
                path: "\(schema.name)/\(dialect.fileName(for: schema))",
                contents: sqlFile(for: schema, dialect: dialect))
        case .swift(let name, let units):
            GeneratedFile(
                path: "\(schema.name)/\(name).swift",
                contents: SwiftFile.text(of: units.map(emitter.file(for:)), in: emitter.scope))
        }
    }.compactMap(\.self)
}

/// Generates the Swift code of a schema as the contents of a fixed number of files, for build systems that must know
/// all outputs before a schema is read.
///
/// A pure function. A changed entity changes one of the files, and a new one moves no other. A file without
/// declarations contains a header only.
///
/// - Parameters:
///   - schema: The resolved schema.
///   - count: The number of files, at least 1.
///   - access: The access level of generated declarations; `nil` for that of the schema.
/// - Returns: The contents of `count` files.
package func generate(_ schema: Schema, filling count: Int, access: AccessLevel? = nil) -> [[UInt8]] {
    generate(schema, filling: count, access: access, history: nil)
}

/// The same for a schema with a history, which is compiled in; `nil` if it has none.
package func generate(
    _ schema: Schema, filling count: Int, access: AccessLevel?, history: SchemaHistory?
) -> [[UInt8]] {
    let emitter = SwiftEmitter(schema, access: access ?? schema.access, history: history)
    return concurrentMap(shards(of: emitter, count: count)) { units in
        SwiftFile.text(of: units.map(emitter.file(for:)), in: emitter.scope)
    }
}

/// A file to be generated.
private enum FileJob: Sendable {
    case sql(SQLDialect)
    case server
    case swift(name: String, [SwiftEmitter.Unit])
}

private func filePerUnit(_ emitter: SwiftEmitter) -> [FileJob] {
    emitter.units.map { .swift(name: emitter.name(of: $0), [$0]) }
}

private func sharded(_ emitter: SwiftEmitter, into count: Int) -> [FileJob] {
    zip(1..., shards(of: emitter, count: count)).filter { !$0.1.isEmpty }
        .map { .swift(name: "\(emitter.scope.schema.name)+\($0)", $1) }
}

/// Distributes the units by a hash of their names, so that a changed entity changes one file and a new one moves no
/// other.
private func shards(of emitter: SwiftEmitter, count: Int) -> [[SwiftEmitter.Unit]] {
    var shards = [[SwiftEmitter.Unit]](repeating: [], count: max(1, count))
    for unit in emitter.units {
        let hash = ContentHash(Array(emitter.name(of: unit).utf8)).value
        shards[Int(hash % UInt64(shards.count))].append(unit)
    }
    return shards
}

/// Maps in order on all cores. The first elements are the large ones, so each is a separate task.
private func concurrentMap<Element: Sendable, Result: Sendable>(
    _ elements: [Element], transform: @Sendable (Element) -> Result
) -> [Result] {
    [Result](unsafeUninitializedCapacity: elements.count) { buffer, count in
        // Each iteration writes its own element, and nobody reads one before all have ended.
        nonisolated(unsafe) let results = buffer
        DispatchQueue.concurrentPerform(iterations: elements.count) { index in
            results.initializeElement(at: index, to: transform(elements[index]))
        }
        count = elements.count
    }
}
