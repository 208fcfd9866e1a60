import EvolutionScenarios

/// Changes random schemas and follows them with files, by seed: `evolutions SEED COUNT`.
@main
struct Evolutions {
    static func main() {}
}
