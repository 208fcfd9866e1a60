import Foundation
import LockstepSchema
import TestSupport
import Testing

/// The schemas that are drawn and documented.
enum PageSamples {
    static let journal = """
        lockstep: 1
        schema: Journal
        doc: A journal.
        enums:
          Mood: [sad, happy]
        entities:
          Entry:
            doc: One page of the journal.
            attributes:
              id: uuid
              title: { type: string, minLength: 1, maxLength: 80 }
              mood: { type: Mood?, default: happy }
              labels: [string]
            relationships:
              notes: { to: [Note], inverse: entry, wire: embedded, onDelete: cascade }
              tags: { to: [Tag], inverse: entries, wire: ids }
              previous: { to: Entry?, inverse: following }
              following: { to: [Entry], inverse: previous }
          Note:
            attributes: { id: int, text: string }
            relationships: { entry: { to: Entry, inverse: notes } }
          Tag:
            attributes: { id: int, name: { type: string, unique: true, key: tagName } }
            relationships: { entries: { to: [Entry], inverse: tags } }
          Draft:
            attributes: { id: uuid, uk: string? }
            remote: none

        """

    /// A schema with each kind of scope.
    static let lists = """
        lockstep: 1
        schema: Tasks
        server: { user: user_id }
        entities:
          List:
            scope: self
            access: { read: [owner, members.user], write: owner }
            attributes: { id: uuid, owner: uuid }
            relationships: { members: { to: [Member], inverse: list } }
          Member:
            scope: list
            access: { write: list.owner }
            attributes: { id: uuid, user: uuid }
            relationships: { list: { to: List, inverse: members } }
          Step: { scope: member, attributes: { id: uuid }, relationships: { member: Member } }
          Profile: { scope: user, attributes: { id: uuid, user: uuid } }
          Country: { scope: public, attributes: { id: uuid } }
          Draft: { attributes: { id: uuid }, remote: none }

        """

    /// Every schema of the repository that has no errors, by its path.
    static let paths: [String] = {
        let folders = ["Schemas", "Tests/Samples/RandomSchemas"]
        let models = ["LinkSamples", "ServerSamples", "StoreSamples", "ReservedNames"]
        return (folders + models.map { "Tests/Samples/" + $0 }).flatMap { folder in
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: Documentation.root.appendingPathComponent(folder).path)
            return (names ?? []).filter { $0.hasSuffix(".yaml") && $0 != "lockstep.yaml" }.sorted()
                .map { "\(folder)/\($0)" }
        }
    }()

    static func schema(_ text: String) throws -> Schema {
        let reading = readSchemas([SchemaSource(path: "Schemas/Sample.yaml", bytes: Array(text.utf8))])
        return try #require(reading.schemas.first, "\(reading.diagnostics)")
    }

    static func schema(at path: String) throws -> Schema {
        try schema(try Documentation.text(of: path))
    }

    /// A schema with this many entities, most of which refer to one or two others.
    static func large(entities count: Int, seed: UInt64 = 1) -> String {
        var random = SeededRandom(seed: seed)
        var relationships = [[String]](repeating: [], count: count)
        for entity in 1..<count {
            for number in 0..<Int.random(in: 0...2, using: &random) {
                // Most are near; a few entities are referred to by many.
                let isNear = !random.isOne(in: 5)
                let other = isNear ? Int.random(in: max(0, entity - 30)..<entity, using: &random) : entity % 3
                guard other != entity else { continue }
                let inverse = "children\(entity)Of\(number)"
                relationships[entity].append("parent\(number): { to: Entity\(other)?, inverse: \(inverse) }")
                relationships[other].append(
                    "\(inverse): { to: [Entity\(entity)], inverse: parent\(number), onDelete: cascade }")
            }
        }
        let entities = relationships.indices.map { entity in
            let attributes = (0..<Int.random(in: 1...12, using: &random)).map { "      attribute\($0): string?\n" }
            let links = relationships[entity].map { "      \($0)\n" }
            return "  Entity\(entity):\n    doc: Number \(entity).\n    attributes:\n      id: uuid\n"
                + attributes.joined() + (links.isEmpty ? "" : "    relationships:\n" + links.joined())
        }
        return "lockstep: 1\nschema: Large\nentities:\n" + entities.joined()
    }
}
