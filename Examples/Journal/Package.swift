// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "journal",
    platforms: [.macOS(.v14)],
    dependencies: [
        // In your own package: `.package(url: "https://…/lockstep.git", .upToNextMinor(from: "0.2.0"), traits: ["Servers"])`. The trait
        // is for the server of `journal serve` and `journal demo`; an app does not need it.
        .package(name: "lockstep", path: "../..", traits: ["Servers"]),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "journal",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "LockstepStore", package: "lockstep"),
                .product(name: "LockstepSync", package: "lockstep"),
                .product(name: "LockstepTesting", package: "lockstep"),
            ],
            // Generates `Entry`, `EntryRepresentation`, `Mood` and `JournalSchema` from Journal.lockstep.yaml in each
            // build.
            plugins: [.plugin(name: "LockstepBuildPlugin", package: "lockstep")]
        ),
        .testTarget(name: "JournalTests", dependencies: ["journal"]),
    ],
    swiftLanguageModes: [.v6]
)

let isStrict = Context.environment["LOCKSTEP_STRICT"] == "1"
for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if isStrict { target.swiftSettings?.append(.unsafeFlags(["-warnings-as-errors"])) }
}
