import CommandArguments
import Contests
import Figures

// Measures the store beside C and GRDB, everyone in turn, and prints rows of markdown. `../run` calls it.
let usage = "store-figures --work FOLDER [--rounds 9] [--count 100000] [--row ROW]"
let arguments = CommandArguments(
    CommandLine.arguments.dropFirst(), allowed: ["work", "rounds", "count", "row", "memory", "database"], usage: usage)
let rows: Set = [
    "fetch", "known", "representations", "find", "authors", "read", "save", "change", "live", "memory",
]

if arguments.has("memory") {
    try await MemoryFigures.printGrowth(of: arguments.required("memory"), arguments.required("database"))
} else {
    let workplace = Workplace(
        folder: arguments.required("work"), count: arguments.number("count", default: 100_000, minimum: 1_000))
    let rounds = arguments.number("rounds", default: 9)
    let wanted = arguments.has("row") ? [arguments.required("row")] : rows
    try workplace.prepare()
    Contest.printHeader(others: ["GRDB Codable"])
    try await FetchFigures(workplace, rounds: rounds).print(wanted)
    if wanted.contains("read") { try await ReadFigures(workplace: workplace, rounds: rounds).print() }
    if wanted.contains("memory") { try MemoryFigures(workplace: workplace).print() }
    print()
    Contest.printHeader(others: ["GRDB Codable", "GRDB Codable, no outbox"])
    try await SaveFigures(workplace: workplace, rounds: rounds).print(wanted)
    if wanted.contains("live") { try await LiveFigures(workplace, rounds: rounds).print() }
}
