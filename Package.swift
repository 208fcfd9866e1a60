// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "lockstep",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .executable(name: "lockstep", targets: ["lockstep"]),
        .library(name: "LockstepSchema", targets: ["LockstepSchema"]),
        .library(name: "LockstepGenerator", targets: ["LockstepGenerator"]),
        .library(name: "LockstepStore", targets: ["LockstepStore"]),
    ],
    dependencies: [
        // SQLite connections, WAL, observation and the query interface under the store.
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        // Parses the command line of `lockstep`, prints its help and its completions.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        .target(name: "LockstepSchema", dependencies: ["CLibYAML"]),
        .target(name: "LockstepGenerator", dependencies: ["LockstepSchema"]),
        .executableTarget(
            name: "lockstep",
            dependencies: [
                "LockstepGenerator",
                "LockstepSchema",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "LockstepStore",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .testTarget(name: "LockstepSchemaTests", dependencies: ["LockstepSchema"]),
        .testTarget(
            name: "LockstepGeneratorTests",
            dependencies: ["LockstepGenerator", "LockstepSchema", .product(name: "GRDB", package: "GRDB.swift")]
        ),
        .testTarget(name: "LockstepStoreTests", dependencies: ["LockstepStore"]),
    ],
    swiftLanguageModes: [.v6]
)

// Strict from the first commit: the same settings for every target of Swift code. LOCKSTEP_STRICT is set by `make check`
// and in CI; a package that depends on this one is never built with unsafe flags.
let isStrict = Context.environment["LOCKSTEP_STRICT"] == "1"
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if isStrict { target.swiftSettings?.append(.unsafeFlags(["-warnings-as-errors"])) }
}
