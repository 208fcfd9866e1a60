// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that nobody who uses Lockstep ever resolves or builds it. It depends on nothing:
// what it measures are whole processes, started and timed from outside. `run` compiles the floors in Floor/ with the C
// compiler alone, so that not even Swift's runtime is linked to them. What the store is measured with is in Store/, a
// package that depends on the store, and on the libraries here; so are Merge/, Migrate/ and Sync/.
let package = Package(
    name: "lockstep-benchmarks",
    platforms: [.macOS(.v14)],
    products: [
        .library(name: "CommandArguments", targets: ["CommandArguments"]),
        .library(name: "Contests", targets: ["CFloorBase", "Contests"]),
        .library(name: "Figures", targets: ["Figures"]),
    ],
    targets: [
        // Starts a process, waits for it and tells what it used.
        .target(name: "CTimedProcess"),
        // What every floor in C begins with: connections to the SQLite that GRDB is linked to, and clocks.
        .target(name: "CFloorBase", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CommandArguments"),
        // The same work in one process, done by several in turn; samples by seed; children that print a figure.
        .target(name: "Contests", dependencies: ["CFloorBase", "Figures"]),
        // Medians, ratios, rows of markdown.
        .target(name: "Figures"),
        // The entities that are compared, and how they look in YAML, in Core Data and written by hand.
        .target(name: "Samples"),
        .executableTarget(name: "make-schema", dependencies: ["CommandArguments", "Samples"]),
        .executableTarget(name: "make-core-data-model", dependencies: ["CommandArguments", "Samples"]),
        .executableTarget(name: "make-by-hand", dependencies: ["CommandArguments", "Samples"]),
        .executableTarget(name: "measure", dependencies: ["CommandArguments", "CTimedProcess", "Figures"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where !["CFloorBase", "CTimedProcess"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
