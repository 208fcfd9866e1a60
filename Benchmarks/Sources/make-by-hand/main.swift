import CommandArguments
import Foundation
import Samples

// Writes the entities that make-schema describes as one writes them by hand today.
let arguments = CommandArguments(
    CommandLine.arguments.dropFirst(), allowed: ["entities", "seed", "access", "output"],
    usage: "make-by-hand --entities 100 --output FOLDER [--seed 1] [--access public|internal]")
let schema = SampleSchema(
    count: arguments.number("entities", default: 100),
    seed: UInt64(arguments.number("seed", default: 1, minimum: 0)),
    isPublic: arguments.text("access", default: "public") == "public")
let folder = URL(fileURLWithPath: arguments.required("output"), isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
for file in schema.handWritten {
    try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name))
}
