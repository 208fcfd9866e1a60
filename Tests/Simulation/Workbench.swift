import Foundation

/// What tests do a few times, any number of times: `workbench COMMAND ARGUMENT…`. The Makefile has a target for each
/// command but `store-process`, which tests start and kill.
@main
struct Workbench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let rest = arguments.dropFirst()
        switch arguments.first {
        case "scenarios": try await Scenarios.main(rest)
        case "version-scenarios": try await VersionScenarios.main(rest)
        case "feed-scenarios": try await FeedScenarios.main(rest)
        case "evolutions": Evolutions.main(rest)
        case "hostile": try await Hostile.main(rest)
        case "kills": try await Kills.main(rest)
        case "kills-app": try await KillsApp.main(rest)
        case "kills-migration": try KillsMigration.main(rest)
        case "server-demo": await ServerDemo.main(rest)
        case "store-process": try await StoreProcess.main(rest)
        default:
            FileHandle.standardError.write(Data("workbench: there is no command \(arguments.first ?? "named")\n".utf8))
            exit(64)
        }
    }
}
