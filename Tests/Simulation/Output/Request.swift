/// One run of `lockstep` that is asked for: the schemas that are there, and the arguments.
public struct Request: Hashable, Sendable {
    /// The texts of the schema files, by their paths.
    var schemas: [String: String]
    var arguments: [String]

    /// Where it writes.
    static let output = "Generated"

    /// Whether it is `lockstep emit`, which takes all that is there for its own.
    var isEmit: Bool { arguments.first == "emit" }

    // MARK: Those that tests ask for

    /// `lockstep generate` of all that is in `Schemas/`.
    static func generate(_ schemas: [String: String], _ options: String...) -> Request {
        Request(
            schemas: Dictionary(uniqueKeysWithValues: schemas.map { ("Schemas/\($0.key).yaml", $0.value) }),
            arguments: ["generate"] + options)
    }

    /// `lockstep generate` of one file, wherever it lies, for two that write at once.
    static func generate(_ text: String, at path: String) -> Request {
        Request(schemas: [path: text], arguments: ["generate", path])
    }

    static func emit(_ text: String, files: Int) -> Request {
        Request(
            schemas: ["App/Journal.lockstep.yaml": text],
            arguments: ["emit", "App/Journal.lockstep.yaml", "--output", output]
                + (1...files).flatMap { ["--file", "Journal.\($0).swift"] })
    }

    /// The journal as it was, with an entity that a later one has not.
    static let journal = """
        lockstep: 1
        schema: Journal
        enums:
          Mood: [sad, neutral, happy]
        entities:
          Entry:
            attributes: { id: uuid, title: string, mood: { type: Mood, default: neutral } }
          Tag:
            attributes: { id: int, name: string }

        """

    /// The journal with other attributes, without `Tag`, and with an entity that only it has.
    static let changedJournal = """
        lockstep: 1
        schema: Journal
        enums:
          Mood: [sad, neutral, happy]
        entities:
          Entry:
            attributes: { id: uuid, title: string?, mood: { type: Mood, default: happy } }
          OnlyHere:
            attributes: { id: int, name: string }

        """

    static let recipes = """
        lockstep: 1
        schema: Recipes
        entities:
          Recipe:
            attributes: { id: uuid, title: string }

        """
}
