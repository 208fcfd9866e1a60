// swift-tools-version: 6.1
import PackageDescription

// What migrating is measured with. `../run --only migrate` generates Sources/Ledgers from the schemas in Schemas/, which
// are versions of one, before it builds this package.
let versions = ["First", "Instant", "Fill", "Convert", "Rebuild", "Ten"]

let package = Package(
    name: "migrate-benchmark",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "lockstep", path: "../.."),
        .package(name: "lockstep-benchmarks", path: ".."),
    ],
    targets: versions.map {
        .target(
            name: "Ledger\($0)", dependencies: [.product(name: "LockstepStore", package: "lockstep")],
            path: "Sources/Ledgers/\($0)")
    } + [
        // The floors, in C, with the SQLite that GRDB is linked to.
        .target(
            name: "CMigrateFloor",
            dependencies: [.product(name: "Contests", package: "lockstep-benchmarks")],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .executableTarget(
            name: "migrate-figures",
            dependencies: versions.map { .target(name: "Ledger\($0)") } + [
                "CMigrateFloor",
                .product(name: "CommandArguments", package: "lockstep-benchmarks"),
                .product(name: "Contests", package: "lockstep-benchmarks"),
                .product(name: "Figures", package: "lockstep-benchmarks"),
                .product(name: "LockstepStore", package: "lockstep"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CMigrateFloor" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
