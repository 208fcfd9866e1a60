import Foundation
import LockstepGenerator

/// `lockstep emit` alone, for LockstepBuildPlugin: users' packages build it before anything else, so it has no other
/// command, and no library for command lines.
@main
enum EmitProgram {
    static func main() {
        do {
            let emission = try Emission(arguments: CommandLine.arguments.dropFirst())
            try FileSystem.$faults.withValue(KillSwitch.ofEnvironment) { try emission.run() }
        } catch {
            if let status = ExitStatus.report(error) { exit(status.rawValue) }
            Console.report("error: \(error)")
            Console.report(ExitStatus.bugReport)
            exit(ExitStatus.bug.rawValue)
        }
    }
}
