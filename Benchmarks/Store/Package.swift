// swift-tools-version: 6.1
import PackageDescription

// What the store is measured with. `../run --only store` generates Sources/Models/Notebook from Notebook.yaml before it builds
// this package.
let package = Package(
    name: "store-benchmark",
    // `Mutex`, which nobody but us needs here, is of this version.
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "lockstep", path: "../.."),
        .package(name: "lockstep-benchmarks", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        // The floors, in C, with the SQLite that GRDB is linked to.
        .target(
            name: "CStoreFloor",
            dependencies: [.product(name: "Contests", package: "lockstep-benchmarks")],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .target(
            name: "Notebook",
            dependencies: [.product(name: "LockstepStore", package: "lockstep")],
            path: "Sources/Models"
        ),
        .executableTarget(
            name: "store-figures",
            dependencies: [
                "CStoreFloor",
                "Notebook",
                .product(name: "CommandArguments", package: "lockstep-benchmarks"),
                .product(name: "Contests", package: "lockstep-benchmarks"),
                .product(name: "Figures", package: "lockstep-benchmarks"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "LockstepStore", package: "lockstep"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CStoreFloor" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
