import CommandArguments
import Samples

// Prints the entities of a realistic schema as a Core Data model, to standard output: the file `contents` of a folder
// `NAME.xcdatamodel`.
let arguments = CommandArguments(
    CommandLine.arguments.dropFirst(), allowed: ["entities", "seed"],
    usage: "make-core-data-model --entities 1000 [--seed 1]")
let schema = SampleSchema(
    count: arguments.number("entities", default: 1000),
    seed: UInt64(arguments.number("seed", default: 1, minimum: 0)))
print(schema.coreDataModel, terminator: "")
