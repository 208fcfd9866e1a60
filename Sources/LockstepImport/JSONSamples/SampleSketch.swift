import LockstepJSON
import LockstepSchema

/// Makes the schema of samples.
struct SampleSketch {
    private var sketch: SchemaSketch
    private let notes: SampleNotes
    private let entities: SampleEntities
    private let members: SampleMembers
    private let path: String

    /// With fewer records, what is required may be an accident.
    private static let manyRecords = 20

    init(_ files: [SampleFile], name: String) throws(ImportFailure) {
        notes = SampleNotes(files: files.map(\.name))
        path = files.first?.path ?? ""
        var collections: [SampleCollection] = []
        for file in files { collections += try SampleCollections(file, notes: notes).found }
        entities = try SampleEntities(collections, notes: notes)
        members = SampleMembers(entities, notes: notes)
        sketch = SchemaSketch(name: name)
        sketch.isFromServer = true
        sketch.entities = members.sketches
        let relationships = Dictionary(grouping: members.links.list, by: \.owner)
        for index in sketch.entities.indices {
            sketch.entities[index].relationships = relationships[sketch.entities[index].name, default: []].map(\.member)
        }
    }

    func imported(from source: String) throws(ImportFailure) -> ImportedSchema {
        var sketch = sketch
        if Self.isSnakeCase(sketch) {
            sketch.wire["names"] = "snake_case"
            notes.decided(
                nil as SampleLocation?, text: "JSON keys are in snake_case", help: "See `wire:` at the top of the file."
            )
        }
        reportEntities()
        let schema = try sketch.repair(notes, path: path).schema
        reportPaths(schema)
        SampleProof(schema, leftOut: members.leftOut, notes: notes).run(entities)
        return ImportedSchema(Self.withoutDerivedKeys(sketch), report: notes.report, from: source)
    }

    /// The records at the top of files and in envelopes, by their entities.
    var samples: [SampleRecords] {
        entities.list.filter(\.isRoot).map { entity in
            SampleRecords(entity: entity.name, records: entity.collections.flatMap(\.records).map(\.json))
        }
    }

    private func reportEntities() {
        for entity in entities.list where members.has(entity) {
            let count = entity.shape.count
            let subject = "\(entity.name), from \(count) \(count == 1 ? "object" : "objects")"
            let identity = entity.identity.map { "its identity is '\($0)'" } ?? "without identity"
            let required = entity.shape.keys.filter { entity.shape.isRequired($0) && $0 != entity.identity }
            if count < SampleMembers.severalRecords {
                notes.decided(
                    entity.shape.firstLocation,
                    text: "\(subject): \(identity); nothing else is required, because there are so few",
                    help: "Where the server always sends a value, remove the `?`.")
            } else if count < Self.manyRecords, !required.isEmpty {
                notes.decided(
                    entity.shape.firstLocation, text: "\(subject): \(identity); what each of them has is required",
                    help: "Where the server may leave out a value, write `?` after the type.")
            } else {
                notes.decided(entity.shape.firstLocation, text: "\(subject): \(identity)")
            }
        }
    }

    private func reportPaths(_ schema: Schema) {
        let paths = schema.entities.lazy.compactMap { entity in entity.remote.map { (entity.name, $0.path) } }
        guard let (name, path) = paths.first else { return }
        notes.decided(
            nil as SampleLocation?, text: "Paths are derived from the names: `\(path)` for \(name)",
            help: "Samples do not say where they are from. If a path differs, write `remote: { path: … }`.")
    }

    // MARK: Keys

    private static func isSnakeCase(_ sketch: SchemaSketch) -> Bool {
        let keys = sketch.entities.flatMap { $0.attributes + $0.relationships }.flatMap(\.key)
        // A key that is not in it is written in the schema.
        let others = keys.filter { key in key.contains(where: \.isUppercase) }
        let words = keys.filter { key in
            SampleNames.isSnakeCase(key) && key.dropFirst().dropLast().contains("_")
        }
        return words.count > others.count
    }

    /// Leaves out the keys that are derived from the names anyway.
    private static func withoutDerivedKeys(_ sketch: SchemaSketch) -> SchemaSketch {
        var short = sketch
        for index in sketch.entities.indices {
            for section in [\EntitySketch.attributes, \.relationships] {
                for (position, member) in sketch.entities[index][keyPath: section].enumerated()
                where member.key == [sketch.keys.key(of: member, isRelationship: section == \.relationships)] {
                    short.entities[index][keyPath: section][position].key = []
                }
            }
        }
        return short
    }
}
