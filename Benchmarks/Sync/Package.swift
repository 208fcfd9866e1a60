// swift-tools-version: 6.1
import PackageDescription

// What syncing is measured with. `../run --only sync` generates Sources/Diary from Diary.yaml before it builds this
// package.
let package = Package(
    name: "sync-benchmark",
    // `Mutex`, which nobody but us needs here, is of this version.
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "lockstep", path: "../..", traits: ["Servers"]),
        .package(name: "lockstep-benchmarks", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    ],
    targets: [
        .target(name: "Diary", dependencies: [.product(name: "LockstepStore", package: "lockstep")]),
        .executableTarget(
            name: "sync-figures",
            dependencies: [
                "Diary",
                .product(name: "CommandArguments", package: "lockstep-benchmarks"),
                .product(name: "Contests", package: "lockstep-benchmarks"),
                .product(name: "Figures", package: "lockstep-benchmarks"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "LockstepStore", package: "lockstep"),
                .product(name: "LockstepSync", package: "lockstep"),
                .product(name: "LockstepTesting", package: "lockstep"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
