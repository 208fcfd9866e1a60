import ArgumentParser
import Foundation
import LockstepGenerator
import LockstepSchema

struct DescribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Prints the resolved schemas as JSON, with all references and names.",
        discussion: """
            The JSON is an array with an object for each schema.

            EXAMPLE
              lockstep describe Schemas/Journal.yaml | jq '.[0].entities[].tableName'
            """
    )

    @OptionGroup var input: SchemaArguments

    func run() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(try input.read(checking: .history).map(\.schema))
        Console.print(TerminalText(json: String(decoding: data, as: UTF8.self)))
    }
}
