import LockstepGenerator

extension UsageFailure {
    /// A failure of a command that needs a part that is not in this build: packages that use lockstep build it only
    /// with a trait.
    static func missing(_ part: String, trait: String, command: String) -> UsageFailure {
        UsageFailure(
            message: """
                This build of lockstep has no \(part). In a package, add the trait: \
                .package(url: …, traits: ["\(trait)"]); or run 'swift run lockstep \(command)' in a clone of lockstep.
                """)
    }
}
