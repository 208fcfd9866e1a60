import CommandArguments
import Contests

// Measures merging beside C and what GRDB's users do today, everyone in turn, and prints rows of markdown. `../run`
// calls it.
let usage = "merge-figures --work FOLDER [--rounds 9] [--count 100000] [--row ROW]"
let arguments = CommandArguments(
    CommandLine.arguments.dropFirst(),
    allowed: ["work", "rounds", "count", "row", "child", "database", "payload"], usage: usage)
let rows: Set = ["empty", "again", "changed", "few", "numbered", "nested", "typed", "saves", "memory", "streamed"]
let count = arguments.number("count", default: 100_000, minimum: 10_000)

if arguments.has("child") {
    try await ProcessFigures.runChild(
        arguments.required("child"), arguments.required("database"), count, arguments.required("payload"))
} else {
    let workplace = try Workplace(folder: arguments.required("work"))
    let rounds = arguments.number("rounds", default: 9)
    let wanted = arguments.has("row") ? [arguments.required("row")] : rows
    if !wanted.isDisjoint(with: ["empty", "again", "changed", "few", "numbered"]) {
        Contest.printHeader(others: ArticleFigures.others)
        try await ArticleFigures(workplace: workplace, rounds: rounds, count: count).print(wanted)
        print()
    }
    if wanted.contains("nested") {
        Contest.printHeader(others: [])
        try await NestedFigures(workplace: workplace, rounds: rounds, count: count / 10).print()
        print()
    }
    if wanted.contains("typed") {
        try await TypedFigures(workplace: workplace, rounds: rounds, count: count).print()
        print()
    }
    if wanted.contains("saves") {
        try await SaveFigures(workplace: workplace, rounds: rounds, count: count).print()
        print()
    }
    if !wanted.isDisjoint(with: ["memory", "streamed"]) {
        try ProcessFigures(workplace: workplace, count: count).print(wanted)
    }
}
