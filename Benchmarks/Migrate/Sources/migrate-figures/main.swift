import CommandArguments
import Contests
import Figures

// Measures migrating beside the same SQL in C, in turn, and prints rows of markdown. `../run` calls it.
let usage = "migrate-figures --work FOLDER [--rounds 15] [--long-rounds 5] [--count 1000000] [--row ROW]"
let arguments = CommandArguments(
    CommandLine.arguments.dropFirst(), allowed: ["work", "rounds", "long-rounds", "count", "row"], usage: usage)
let workplace = try Workplace(
    folder: arguments.required("work"), count: arguments.number("count", default: 1_000_000, minimum: 1000))
let figures = MigrationFigures(
    workplace: workplace, rounds: arguments.number("rounds", default: 15),
    longRounds: arguments.number("long-rounds", default: 5))
let rows = MigrationFigures.rows
let wanted = arguments.has("row") ? [arguments.required("row")] : rows
Contest.printHeader(others: ["C, with the copy"])
for row in wanted { try await figures.print(row) }
