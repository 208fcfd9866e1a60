import Dispatch
public import LockstepSchema
import Synchronization

/// What a run of the generator is asked for beside the schema.
public struct GenerationOptions: Hashable, Sendable {
    /// The access of generated declarations; `nil` leaves it to the schema.
    public var access: AccessLevel?
    /// The dialects to write `.sql` files for.
    public var dialects: [SQLDialect]
    /// How many Swift files to spread the declarations over; `nil` for a file each, named after what it declares.
    public var shards: Int?

    public init(access: AccessLevel? = nil, dialects: [SQLDialect] = [.sqlite], shards: Int? = nil) {
        self.access = access
        self.dialects = dialects
        self.shards = shards
    }
}

/// Prints everything a schema asks for: Swift files and SQL.
///
/// A pure function: the same schema and options give the same bytes, in the same order. Paths start with the schema's
/// name: `Journal/Entry.swift`.
public func generate(_ schema: Schema, options: GenerationOptions = GenerationOptions()) -> [GeneratedFile] {
    let emitter = SwiftEmitter(schema, access: options.access ?? schema.access)
    let swiftFiles = options.shards.map { sharded(emitter, into: $0) } ?? filePerUnit(emitter)
    let sqlFiles = options.dialects.map { dialect in
        GeneratedFile(
            path: "\(schema.name)/\(dialect.fileName(for: schema))", contents: sqlFile(for: schema, dialect: dialect))
    }
    return swiftFiles + sqlFiles
}

private func filePerUnit(_ emitter: SwiftEmitter) -> [GeneratedFile] {
    concurrentMap(emitter.units) { unit in
        GeneratedFile(
            path: "\(emitter.scope.schema.name)/\(emitter.name(of: unit)).swift",
            contents: SwiftFile.text(of: [emitter.file(for: unit)], in: emitter.scope))
    }
}

/// Spreads the units by a hash of their names, so that a changed entity changes one file and a new one moves no other.
private func sharded(_ emitter: SwiftEmitter, into count: Int) -> [GeneratedFile] {
    var shards = [[SwiftEmitter.Unit]](repeating: [], count: max(1, count))
    for unit in emitter.units {
        shards[Int(stableHash(emitter.name(of: unit)) % UInt64(shards.count))].append(unit)
    }
    let name = emitter.scope.schema.name
    let numbered = Array(zip(1..., shards)).filter { !$0.1.isEmpty }
    return concurrentMap(numbered) { number, units in
        GeneratedFile(
            path: "\(name)/\(name)+\(number).swift",
            contents: SwiftFile.text(of: units.map(emitter.file(for:)), in: emitter.scope))
    }
}

/// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): Swift's own hashes differ from run to run.
private func stableHash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

/// Maps in order on all cores, a stretch of elements at a time.
private func concurrentMap<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ transform: @Sendable (Element) -> Result
) -> [Result] {
    let stretch = 32
    let count = (elements.count + stretch - 1) / stretch
    guard count > 1 else { return elements.map(transform) }
    let results = Mutex([[Result]](repeating: [], count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let range = (index * stretch)..<min(elements.count, (index + 1) * stretch)
        let mapped = elements[range].map(transform)
        results.withLock { $0[index] = mapped }
    }
    return results.withLock { $0.flatMap { $0 } }
}
