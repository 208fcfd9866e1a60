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
case "compile":
    let allowed: Set = ["package", "generated", "by-hand", "title", "entities", "configuration", "runs"]
    CompileFigures(CommandArguments(rest, allowed: allowed, usage: CompileFigures.usage)).print()
case "compile-header":
    CompileFigures.printHeader()
default:
    StandardError.print("usage: \(GenerateFigures.usage)\n       \(CompileFigures.usage)")
    exit(2)
}
