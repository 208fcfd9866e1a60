// swift-tools-version: 6.1
import PackageDescription

// What merging is measured with. `../run --only merge` generates Sources/Archive from Archive.yaml before it builds
// this package.
let package = Package(
    name: "merge-benchmark",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "lockstep", path: "../.."),
        .package(name: "lockstep-benchmarks", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        // The floors, in C, with the SQLite that GRDB is linked to.
        .target(
            name: "CMergeFloor",
            dependencies: [.product(name: "Contests", package: "lockstep-benchmarks")],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .target(name: "Archive", dependencies: [.product(name: "LockstepStore", package: "lockstep")]),
        .executableTarget(
            name: "merge-figures",
            dependencies: [
                "Archive",
                "CMergeFloor",
                .product(name: "CommandArguments", package: "lockstep-benchmarks"),
                .product(name: "Contests", package: "lockstep-benchmarks"),
                .product(name: "Figures", package: "lockstep-benchmarks"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "LockstepStore", package: "lockstep"),
                .product(name: "LockstepSync", package: "lockstep"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CMergeFloor" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
