// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that nobody who uses Lockstep ever resolves or builds it. It depends on nothing but libyaml:
// what it measures are whole processes, started and timed from outside.
let package = Package(
    name: "lockstep-benchmarks",
    platforms: [.macOS(.v14)],
    targets: [
        .systemLibrary(
            name: "CLibYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        // The least that must happen, in C: the floors that the budgets are multiples of.
        .executableTarget(name: "floor", dependencies: ["CLibYAML"]),
        // Starts a process, waits for it and tells what it used.
        .target(name: "CTimedProcess"),
        .target(name: "CommandArguments"),
        // The entities that are compared, and how they look in YAML and written by hand.
        .target(name: "Samples"),
        .executableTarget(name: "make-schema", dependencies: ["CommandArguments", "Samples"]),
        .executableTarget(name: "make-by-hand", dependencies: ["CommandArguments", "Samples"]),
        .executableTarget(name: "measure", dependencies: ["CommandArguments", "CTimedProcess"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where ["Samples", "CommandArguments", "make-schema", "make-by-hand", "measure"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
