import CommandArguments
import Samples

// Prints a realistic schema to standard output, or the same entities in the language of another generator.
let usage = """
    make-schema --entities 1000 [--seed 1] [--changed NUMBER] [--access public|internal] \
    [--language lockstep|protobuf|flatbuffers]
    """
let arguments = CommandArguments(
    CommandLine.arguments.dropFirst(), allowed: ["entities", "seed", "changed", "access", "language"], usage: usage)
let count = arguments.number("entities", default: 1000)
let schema = SampleSchema(
    count: count,
    seed: UInt64(arguments.number("seed", default: 1, minimum: 0)),
    changed: arguments.has("changed") ? arguments.number("changed", default: 0, minimum: 0) % count : nil,
    isPublic: arguments.text("access", default: "public") == "public")
let languages = ["lockstep": \SampleSchema.yaml, "protobuf": \.protobuf, "flatbuffers": \.flatBuffers]
print(schema[keyPath: arguments.choice("language", default: "lockstep", of: languages)], terminator: "")
