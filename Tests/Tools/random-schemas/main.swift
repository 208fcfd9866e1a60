// Writes the random schemas anew from their seeds: `make random-schemas`.
import Foundation
import RandomSchemaMaker

guard let folder = CommandLine.arguments.dropFirst().first else {
    FileHandle.standardError.write(Data("random-schemas: name the folder to write to.\n".utf8))
    exit(64)
}
for schema in RandomSchema.committed() {
    let file = URL(fileURLWithPath: folder).appendingPathComponent("\(schema.name).lockstep.yaml")
    try Data(schema.text.utf8).write(to: file, options: .atomic)
}
