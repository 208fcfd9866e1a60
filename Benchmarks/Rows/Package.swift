// swift-tools-version: 6.1
import PackageDescription

// What copying the rows of a Core Data store is measured with. `../run --only import` imports Notebook.xcdatamodel, and
// generates Sources/rows-figures/Notebook, before it builds this package.
let package = Package(
    name: "rows-benchmark",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "lockstep", path: "../.."),
        .package(name: "lockstep-benchmarks", path: ".."),
    ],
    targets: [
        // The floor, in C, with the SQLite that GRDB is linked to.
        .target(
            name: "CRowsFloor",
            dependencies: [.product(name: "Contests", package: "lockstep-benchmarks")],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .executableTarget(
            name: "rows-figures",
            dependencies: [
                "CRowsFloor",
                .product(name: "CommandArguments", package: "lockstep-benchmarks"),
                .product(name: "Contests", package: "lockstep-benchmarks"),
                .product(name: "Figures", package: "lockstep-benchmarks"),
                .product(name: "LockstepCoreData", package: "lockstep"),
                .product(name: "LockstepStore", package: "lockstep"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CRowsFloor" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
