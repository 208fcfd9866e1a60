import CommandArguments
import Foundation

// Measures syncing beside what the same work takes without it, everyone in turn, and prints rows of markdown. `../run`
// calls it.
let usage = "sync-figures --work FOLDER [--rounds 5] [--count 100000] [--pushes 5000] [--row ROW]"
let arguments = CommandArguments(
    CommandLine.arguments.dropFirst(), allowed: ["work", "rounds", "count", "pushes", "row"], usage: usage)
let rows: Set = ["push", "push-latency", "pull", "feed", "changes", "latency", "edit", "first", "insert"]
let workplace = try Workplace(folder: arguments.required("work"))
let rounds = arguments.number("rounds", default: 5)
let count = arguments.number("count", default: 100_000, minimum: 1_000)
let wanted = arguments.has("row") ? [arguments.required("row")] : rows

if wanted.contains("push") {
    PushFigures.printHeader()
    let most = arguments.number("pushes", default: 5_000, minimum: 1_000)
    for changes in Set([1_000, most]).sorted() {
        // What takes many seconds runs a few times only.
        let rounds = changes > 1_000 ? min(rounds, 2) : rounds
        try await PushFigures(workplace: workplace, rounds: rounds, count: changes).print()
    }
    print()
}
if wanted.contains("push-latency") {
    // A round takes half a minute.
    try await PushLatencyFigures(workplace: workplace, rounds: min(rounds, 3)).print()
}
if wanted.contains("pull") { try await PullFigures(workplace: workplace, rounds: rounds, count: count).print() }
if wanted.contains("feed") { try await FeedFigures(workplace: workplace, rounds: rounds, count: count).print() }
if wanted.contains("changes") { try await ChangesFigures(workplace: workplace, rounds: rounds, count: count).print() }
if wanted.contains("latency") { try await LatencyFigures(workplace: workplace).print() }
if wanted.contains("edit") { try await OutboxFigures(workplace: workplace, count: count).print() }
if wanted.contains("first") {
    try await FirstRequestFigures(workplace: workplace, rounds: rounds, count: count).print()
}
if wanted.contains("insert") { try await InsertFigures(workplace: workplace, rounds: rounds, count: count).print() }
