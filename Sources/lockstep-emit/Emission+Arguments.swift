import LockstepGenerator
import LockstepSchema

extension Emission {
    /// Reads the options of `lockstep emit` that the plugin uses: `--name value` or `--name=value`. Everything else is
    /// the path of a schema.
    ///
    /// - Throws: `UsageFailure` if there is another option, or a value is missing.
    init(arguments: ArraySlice<String>) throws {
        self.init()
        var rest = arguments
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                schemas.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageFailure(message: "The option '\(argument)' has no value. \(Self.help)")
            }
            try set(parts[0], to: value)
        }
        if let misuse { throw UsageFailure(message: "\(misuse) \(Self.help)") }
    }

    private mutating func set(_ option: String, to value: String) throws {
        switch option {
        case "--output": output = value
        case "--file": files.append(value)
        case "--access":
            guard let level = AccessLevel(rawValue: value) else {
                throw UsageFailure(message: "'\(value)' is no access level. \(Self.help)")
            }
            access = level
        case "--planned-folder": plan.folder = value
        case "--planned-file": plan.file = value
        case "--planned-text": plan.text = value
        case "--failing": failing = value
        default: throw UsageFailure(message: "There is no option '\(option)'. \(Self.help)")
        }
    }

    private static let help = "LockstepBuildPlugin runs this program. Run 'lockstep emit' yourself."
}
