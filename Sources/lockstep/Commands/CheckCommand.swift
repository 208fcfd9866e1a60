import ArgumentParser
import LockstepSchema

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks schemas and reports every finding; writes nothing.",
        discussion: """
            EXAMPLE
              lockstep check Schemas/Journal.yaml --diagnostics github
            """
    )

    @OptionGroup var input: SchemaArguments

    func run() throws {
        let schemas = try input.read(checking: .recorded(.error))
        if input.diagnostics == .text {
            let entities = schemas.reduce(0) { $0 + $1.schema.entities.count }
            let schemaCount = Self.count(schemas.count, "schema", "schemas")
            Console.report("\(schemaCount) with \(Self.count(entities, "entity", "entities")): no findings.")
        }
    }

    private static func count(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
