import LockstepEvolution
import LockstepSchema

/// Identifies the templates of this generator by their output for a small schema with all kinds of declarations.
///
/// It is the same on every machine, and costs less than generating any real schema.
enum OutputSignature {
    /// The hash of the sample's output, as sixteen digits.
    static let digits: String = {
        let reading = readSchemas([SchemaSource(path: "Sample.yaml", bytes: Array(sample.utf8))])
        var text: [UInt8] = []
        for schema in reading.schemas {
            // It differs from what the history records, so that this is shown, too.
            let history = SchemaHistory(beginningWith: SchemaTree(name: schema.name), version: 1)
            let options = GenerationOptions(dialects: SQLDialect.allCases)
            for file in generate(schema, options: options, history: history) {
                text += file.path.utf8
                text += file.contents
            }
        }
        return ContentHash(text).digits
    }()

    /// Small, with one of each: types, enums, limits, defaults, identities, relationships, delete rules, ways of wire.
    static let sample = """
        lockstep: 1
        schema: Sample
        doc: One of each.
        access: public
        enums:
          Size: { small: S, large: L }
          Rank: { type: int, closed: true, cases: { low: 0, high: { value: 10, doc: The highest. } } }
        types:
          Money: { stored: decimal, module: Shop }
        entities:
          Named:
            abstract: true
            attributes:
              name: { type: string, minLength: 1, maxLength: 9, default: "a\\nb" }
          Thing:
            doc: A thing.
            extends: Named
            attributes:
              id: int
              flag: { type: bool, default: true }
              short: { type: int16, min: -1, max: 9 }
              medium: int32?
              large: { type: int64, default: 9 }
              ratio: { type: float, default: 0.5 }
              precise: { type: double, max: 1.5 }
              exact: { type: decimal, default: 1.5, min: 0 }
              day: { type: date?, wire: yyyy-MM-dd }
              seconds: { type: date, wire: secondsSince1970, default: now }
              token: { type: uuid, default: new }
              link: { type: url?, key: [links, self] }
              blob: { type: data, default: "aGVsbG8=" }
              extra: { type: json, default: { a: [1, null] } }
              size: { type: Size, default: small }
              rank: { type: Rank?, deprecated: use size }
              price: { type: Money?, unique: true }
              words: { type: [string], default: [a], maxLength: 3 }
              sizes: "[Size]?"
              note: { type: string?, indexed: true, column: "no te", readOnly: true }
              photo: { type: data?, attachment: true }
              draft: { type: string, transient: true, default: "" }
              class: { type: string?, renamedFrom: kind, formerKeys: [kind, [old, kind]] }
            relationships:
              owner: { to: Person, inverse: things }
              parts: { to: [Part], inverse: whole, onDelete: cascade, wire: embedded, ordered: true }
              labels: { to: [Label], inverse: things, wire: ids, ordered: true }
              cover: { to: Cover?, inverse: thing, wire: embedded, holdsKey: true, unlisted: delete }
              scraps: { to: [Scrap], wire: embedded, onDelete: cascade }
              tags: { to: [Label], wire: ids, embeddedKey: tags }
              pieces: { to: [Part], wire: embedded, idsKey: [ids, pieces] }
            indexes:
              - { on: [owner, size], unique: true }
            remote: { path: /things, write: [create, update], wrap: thing }
          Person:
            identity: [country, number]
            attributes: { country: string, number: int }
            relationships:
              things: { to: [Thing], inverse: owner, onDelete: deny, sortedBy: [name, -id] }
              friend: { to: Person?, onDelete: none }
          Part:
            identity: { local: localID, remote: remoteID }
            attributes: { localID: uuid, remoteID: { type: int?, key: id } }
            relationships:
              whole: { to: Thing?, inverse: parts }
          Label:
            attributes: { id: string }
            relationships:
              things: { to: [Thing], inverse: labels }
          Cover:
            attributes: { id: int }
            relationships:
              thing: { to: Thing?, inverse: cover }
          Scrap:
            identity: none
            attributes: { text: string }
          Note:
            attributes: { id: uuid }
            relationships:
              folder: { to: Folder, inverse: notes }
            remote: none
          Folder:
            attributes: { id: uuid }
            relationships:
              notes: { to: [Note], inverse: folder, onDelete: cascade, sortedBy: id }
            remote: none

        """
}
