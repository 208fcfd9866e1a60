import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
@_spi(Generated) import LockstepStore
import LockstepTesting

/// Makes a history by changing a structure.
struct HistoryBuilder {
    private(set) var history: SchemaHistory
    private var structure: SchemaStructure

    init(_ structure: SchemaStructure) {
        self.structure = structure
        history = SchemaHistory(beginningWith: SchemaTree(structure), version: 1, isReleased: true)
    }

    /// Appends a version.
    ///
    /// - Parameters:
    ///   - renames: What was renamed: `["Entry.bodyText": "text"]`.
    ///   - replaced: Members that are not the same, though they have the same name.
    ///   - answers: What the history says about changes, by path.
    mutating func version(
        renames: [String: String] = [:], replaced: Set<String> = [], answers: [String: ChangeAnswers] = [:],
        _ change: (inout SchemaStructure) -> Void
    ) throws {
        let former = SchemaTree(structure)
        change(&structure)
        let tree = SchemaTree(structure)
        var changes = try SchemaDiff.changes(
            from: former, to: tree,
            renames: Dictionary(
                renames.compactMap { key, value in MemberPath(text: key).map { ($0, value) } },
                uniquingKeysWith: { first, _ in first }),
            replaced: Set(replaced.compactMap { MemberPath(text: $0) }))
        for index in changes.indices {
            if let answer = answers[changes[index].path.description] { changes[index].answers = answer }
        }
        history.versions.append(
            SchemaHistory.Version(
                number: history.head.number + 1, hash: StructureHash(tree), isReleased: true, changes: changes))
    }

    /// The schema of a version, with the history up to it.
    func schema(_ version: Int? = nil) throws -> RecordedSchema {
        try RecordedSchemas(history).schema(at: version ?? history.head.number)
    }

    /// Opens a file with a version, as an app of that version does.
    func open(
        _ version: Int, at file: URL, conversions: [RowConversion] = []
    ) throws -> any DatabaseWriter {
        var schema = try schema(version).description
        schema.conversions = conversions
        return try StoreOpening(
            schema: schema, location: .file(file), configuration: Configuration(), options: MigrationOptions()
        ).open().writer
    }

    /// Checks that files of each version can be migrated to the last.
    func check(seeds: ClosedRange<UInt64> = 1...3) throws {
        let target = try schema().description
        for version in history.versions {
            for seed in seeds { try MigrationCheck(target, from: version.number).run(seed: seed) }
        }
    }
}

extension SchemaStructure {
    /// The journal of the README.
    static var journal: SchemaStructure {
        SchemaStructure(
            name: "Journal",
            enumerations: [.mood],
            entities: [
                EntityStructure(
                    name: "Entry", table: "entry", identity: .attributes(["identifier"]),
                    attributes: [
                        .init("identifier", .scalar(.uuid), default: .newUUID),
                        .init("title", .scalar(.string)),
                        .init("bodyText", .scalar(.string), column: "body_text", isOptional: true),
                        .init("mood", .enumeration("Mood"), default: .enumerationCase("neutral")),
                        .init("timestamp", .scalar(.date), default: .now),
                    ], remote: RemoteStructure(path: "/entries", writes: [.create, .update, .delete]))
            ])
    }

    /// Changes an entity.
    mutating func change(_ entity: String, _ change: (inout EntityStructure) -> Void) {
        for index in entities.indices where entities[index].name == entity { change(&entities[index]) }
    }
}

extension EnumerationStructure {
    static var mood: EnumerationStructure {
        EnumerationStructure(
            name: "Mood", isClosed: false, isInteger: false,
            cases: ["sad", "neutral", "happy"].map { Case(name: $0, rawValue: .string($0)) })
    }
}

extension EntityStructure {
    /// Changes an attribute.
    mutating func change(_ attribute: String, _ change: (inout AttributeStructure) -> Void) {
        for index in attributes.indices where attributes[index].name == attribute { change(&attributes[index]) }
    }

    /// Renames an attribute with its column and its key.
    mutating func rename(_ attribute: String, to name: String, column: String? = nil) {
        change(attribute) { changed in
            changed.name = name
            changed.column = column ?? name
            changed.wire = changed.wire.map { _ in WireStructure(path: [name]) }
        }
    }
}

extension AttributeStructure {
    init(
        _ name: String, _ type: ValueType, column: String? = nil, isOptional: Bool = false, isUnique: Bool = false,
        default value: DefaultValue? = nil, limits: AttributeLimits = AttributeLimits()
    ) {
        self.init(
            name: name, column: column ?? name, type: type, isOptional: isOptional, isUnique: isUnique,
            defaultValue: value, limits: limits, wire: WireStructure(path: [name]))
    }
}
