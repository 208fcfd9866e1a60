import CommandArguments

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// Measures whole processes in turn and prints rows of markdown. `run` calls it.
let rest = CommandLine.arguments.dropFirst(2)
switch CommandLine.arguments.dropFirst().first {
case "generate":
    let allowed: Set = ["lockstep", "floor", "schema", "changed", "work", "disk", "runs"]
    GenerateFigures(CommandArguments(rest, allowed: allowed, usage: GenerateFigures.usage)).print()
case "peers":
    let allowed: Set = ["lockstep", "floor", "schema", "entities", "work", "runs", "protobuf", "flatbuffers"]
    PeerFigures(CommandArguments(rest, allowed: allowed, usage: PeerFigures.usage)).print()
case "import":
    let allowed: Set = ["lockstep", "floor", "model", "work", "runs"]
    ImportFigures(CommandArguments(rest, allowed: allowed, usage: ImportFigures.usage)).print()
case "compile":
    let allowed: Set = ["package", "generated", "by-hand", "title", "entities", "configuration", "runs", "budget"]
    CompileFigures(CommandArguments(rest, allowed: allowed, usage: CompileFigures.usage)).print()
case "compile-header":
    CompileFigures.printHeader()
case "server":
    ServerFigures(CommandArguments(rest, allowed: ["lines"], usage: ServerFigures.usage)).print()
case "budgets":
    BudgetTable(CommandArguments(rest, allowed: ["results", "parts"], usage: BudgetTable.usage)).print()
case "alternatives":
    AlternativesTable(CommandArguments(rest, allowed: ["results"], usage: AlternativesTable.usage)).print()
default:
    let usages = [
        GenerateFigures.usage, PeerFigures.usage, ImportFigures.usage, CompileFigures.usage, ServerFigures.usage,
        BudgetTable.usage, AlternativesTable.usage,
    ]
    StandardError.print("usage: " + usages.joined(separator: "\n       "))
    exit(2)
}
