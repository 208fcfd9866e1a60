import CommandArguments
import Contests

// Measures copying the rows of a Core Data store beside the same SQL, in turn, and prints rows of markdown. `../run`
// calls it.
let usage = "rows-figures --work FOLDER [--rounds 7] [--count 100000]"
let arguments = CommandArguments(
    CommandLine.arguments.dropFirst(), allowed: ["work", "rounds", "count"], usage: usage)
let figures = try RowsFigures(
    folder: arguments.required("work"), count: arguments.number("count", default: 100_000, minimum: 1000),
    rounds: arguments.number("rounds", default: 7))
Contest.printHeader(floor: "SQL", others: [])
try await figures.print()
