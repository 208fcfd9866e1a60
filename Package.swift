// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Whether somebody else's package is built, which resolves only what its own targets need, unless it asks for more
/// with `traits: ["Servers"]`; who works on this package has everything.
let isDependency: Bool = {
    let folder = URL(fileURLWithPath: Context.packageDirectory)
    // While SwiftPM chooses versions, it reads the manifest from a repository that has no folder.
    if folder.path == "/" || folder.path.contains("/registry/downloads/") { return true }
    let checkouts = folder.deletingLastPathComponent()
    let repositories = checkouts.deletingLastPathComponent().appendingPathComponent("repositories")
    return checkouts.lastPathComponent == "checkouts" && FileManager.default.fileExists(atPath: repositories.path)
}()

let package = Package(
    name: "lockstep",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .executable(name: "lockstep", targets: ["lockstep"]),
        .library(name: "LockstepSchema", targets: ["LockstepSchema"]),
        .library(name: "LockstepGenerator", targets: ["LockstepGenerator"]),
        .library(name: "LockstepStore", targets: ["LockstepStore"]),
        .library(name: "LockstepMerge", targets: ["LockstepMerge"]),
        .library(name: "LockstepCoreData", targets: ["LockstepCoreData"]),
        .library(name: "LockstepSync", targets: ["LockstepSync"]),
        .library(name: "LockstepUI", targets: ["LockstepUI"]),
        .library(name: "LockstepTesting", targets: ["LockstepTesting"]),
        .plugin(name: "LockstepBuildPlugin", targets: ["LockstepBuildPlugin"]),
        .plugin(name: "LockstepCommandPlugin", targets: ["LockstepCommandPlugin"]),
    ],
    traits: [
        .trait(
            name: "Servers",
            description: "LockstepTesting's fake servers listen on sockets. Costs the dependency FlyingFox."),
        .trait(
            name: "Import",
            description: "`lockstep import` makes schemas of Core Data models. Costs a module, and FoundationXML."),
        .trait(
            name: "Inspect",
            description: "`lockstep inspect` shows what is in a store's file. Costs the tool LockstepStore and GRDB."),
        .trait(
            name: "Document",
            description: "`lockstep diagram` and `lockstep document` describe schemas. Costs the tool three modules."),
        .trait(name: "Logging", description: "`sync.log(to:)` writes to a swift-log Logger. Costs that dependency."),
        .default(enabledTraits: isDependency ? [] : ["Servers", "Import", "Inspect", "Document", "Logging"]),
    ],
    dependencies: [
        // SQLite connections, WAL, observation and the query interface under the store.
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        // Parses the command line of `lockstep`, prints its help and its completions.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        // Requests, responses and header fields as values, the same for every HTTP client.
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        // The loggers that apps have on Linux and more and more on Apple platforms; resolved only with the trait Logging.
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        // The HTTP server under the fake servers of LockstepTesting; resolved only with the trait Servers.
        .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
        // Builds the pages of `make documentation`; no target uses it, so that no user's package resolves it.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin.git", from: "1.4.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        // The settings of a connection that only a variadic C function changes.
        .systemLibrary(name: "CSQLiteConfiguration"),
        // The one JSON: values, a scanner and a writer, for the tool and for the runtime.
        .target(name: "LockstepJSON"),
        // Locks and files, as the system has them.
        .target(name: "LockstepSystem"),
        // How values are written in a server's JSON, for the runtime and for what tests it on samples.
        .target(name: "LockstepValues", dependencies: ["LockstepJSON", "LockstepSystem"]),
        // What a schema stores and sends, how one version becomes the next, and the SQL of both.
        .target(name: "LockstepEvolution", dependencies: ["LockstepJSON"]),
        // What a change needs, costs and breaks; for the tool alone, so that no app compiles and links it.
        .target(name: "LockstepReview", dependencies: ["LockstepEvolution", "LockstepJSON"]),
        .target(
            name: "LockstepSchema",
            dependencies: ["CLibYAML", "LockstepEvolution", "LockstepJSON", "LockstepReview"]),
        .target(name: "LockstepGenerator", dependencies: ["LockstepEvolution", "LockstepJSON", "LockstepSchema"]),
        // Pages in one file, in which text is escaped.
        .target(name: "LockstepHTML"),
        // Pictures of schemas.
        .target(name: "LockstepDiagrams", dependencies: ["LockstepHTML", "LockstepSchema"]),
        // Data dictionaries of schemas.
        .target(
            name: "LockstepDictionary",
            dependencies: ["LockstepDiagrams", "LockstepEvolution", "LockstepHTML", "LockstepSchema"]),
        // Schemas made of what people have.
        .target(
            name: "LockstepImport",
            dependencies: [
                "LockstepEvolution", "LockstepJSON", "LockstepReview", "LockstepSchema", "LockstepValues",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        // What is in a store's file, as text, as JSON and as a page.
        .target(
            name: "LockstepInspect",
            dependencies: ["LockstepEvolution", "LockstepHTML", "LockstepJSON", "LockstepStore"]),
        // What writes code during a build, with what all commands have.
        .target(name: "LockstepEmission", dependencies: ["LockstepGenerator", "LockstepJSON", "LockstepSchema"]),
        // `lockstep emit` alone. Users' packages build the tool of the plugin before anything else, in release even
        // twice, so this one has no other command, and no ArgumentParser.
        .executableTarget(
            name: "lockstep-emit", dependencies: ["LockstepEmission", "LockstepGenerator", "LockstepSchema"]),
        .executableTarget(
            name: "lockstep",
            dependencies: [
                "LockstepEmission",
                "LockstepEvolution",
                "LockstepGenerator",
                "LockstepReview",
                "LockstepSchema",
                .target(name: "LockstepDiagrams", condition: .when(traits: ["Document"])),
                .target(name: "LockstepDictionary", condition: .when(traits: ["Document"])),
                .target(name: "LockstepImport", condition: .when(traits: ["Import"])),
                .target(name: "LockstepInspect", condition: .when(traits: ["Inspect"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .plugin(name: "LockstepBuildPlugin", capability: .buildTool(), dependencies: ["lockstep-emit"]),
        .plugin(
            name: "LockstepCommandPlugin",
            capability: .command(
                intent: .custom(verb: "generate-models", description: "Writes Swift and SQL of the schemas."),
                permissions: [.writeToPackageDirectory(reason: "Generated/ is written from Schemas/.")]),
            dependencies: ["lockstep"]),
        .target(
            name: "LockstepStore",
            dependencies: [
                "CSQLiteConfiguration", "LockstepEvolution", "LockstepJSON", "LockstepSystem", "LockstepValues",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        // A server's JSON to rows, by the numbered rules; knows no server.
        .target(
            name: "LockstepMerge",
            dependencies: [
                "LockstepJSON", "LockstepStore", "LockstepSystem",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        // The rows of Core Data's files to records, with plain SQL.
        .target(
            name: "LockstepCoreData",
            dependencies: [
                "LockstepJSON", "LockstepStore", "LockstepSystem",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        // Requests and responses, and the error that they share with a sync. It knows no stores.
        .target(
            name: "LockstepHTTP",
            dependencies: ["LockstepSystem", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        // Pulls, pushes and retries, with the remotes.
        .target(
            name: "LockstepSync",
            dependencies: [
                "LockstepHTTP", "LockstepJSON", "LockstepMerge", "LockstepStore", "LockstepSystem",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
            ]
        ),
        // What SwiftUI views need of a store and a sync. What decides is compiled and tested on every platform.
        .target(name: "LockstepUI", dependencies: ["LockstepStore", "LockstepSync"]),
        // For apps and for us: a clock, a remote, a network and servers that tests decide about.
        .target(
            name: "LockstepTesting",
            dependencies: [
                "LockstepEvolution", "LockstepJSON", "LockstepStore", "LockstepSync", "LockstepSystem",
                .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Servers"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "LockstepTestingTests",
            dependencies: [
                "LockstepStore", "LockstepSync", "LockstepTesting", "TestSupport", "SampleTypes",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // Files of earlier versions, opened by later ones.
        .testTarget(
            name: "MigrationTests",
            dependencies: [
                "EvolutionScenarios", "LockstepEvolution", "LockstepJSON", "LockstepStore", "LockstepSystem",
                "LockstepSync", "LockstepTesting", "MigrationKills", "TestSupport", "SampleTypes", "Journal",
                "PeopleV1",
                "PeopleV3", "kills-migration",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures"]),
        // Migrations that are killed at their statements and writes; `make kills-migration` does many.
        .target(
            name: "MigrationKills",
            dependencies: [
                "EvolutionScenarios", "LockstepEvolution", "LockstepStore", "LockstepSystem", "LockstepTesting",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/MigrationKills"),
        .executableTarget(
            name: "kills-migration", dependencies: ["MigrationKills"], path: "Tests/KillsMigration"),
        // What several test targets need: random numbers by seed, temporary stores.
        .target(name: "TestSupport", dependencies: ["SQLiteSettings"], path: "Tests/TestSupport"),
        // Makes tests on several cores faster where SQLite counts its memory.
        .target(
            name: "SQLiteSettings", path: "Tests/SQLiteSettings", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "LockstepSyncTests",
            dependencies: [
                "LockstepHTTP", "LockstepJSON", "LockstepMerge", "LockstepStore", "LockstepSync", "LockstepSystem",
                "LockstepTesting", "TestSupport", "SampleTypes", "Forest", "Museum", "Orders", "Social", "Baskets",
                "HostileServers", "Workshop", "Crew",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["Remotes/company-api.py"]),
        .testTarget(
            name: "LockstepUITests",
            dependencies: [
                "Journal", "LockstepStore", "LockstepSync", "LockstepSystem", "LockstepTesting", "LockstepUI", "Shop",
                "TestSupport",
            ]),
        // The screens of the page Whole screens, isolated to the main actor by default as in a new Xcode project.
        .target(name: "Screens", dependencies: ["Journal", "LockstepUI"], path: "Tests/Screens"),
        .testTarget(
            name: "LockstepMergeTests",
            dependencies: [
                "LockstepJSON", "LockstepMerge", "LockstepStore", "LockstepSystem", "Museum", "Shop",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "RandomMergeTests",
            dependencies: [
                "LockstepJSON", "LockstepStore", "LockstepSync", "TestSupport", "RandomSchemaMaker", "RandomSchemas",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "LockstepEvolutionTests",
            dependencies: [
                "EvolutionScenarios", "LockstepEvolution", "LockstepJSON", "LockstepReview", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // Schemas that change for many versions, by seed, and files that follow them; `make evolutions` runs many.
        .target(
            name: "EvolutionScenarios",
            dependencies: [
                "LockstepEvolution", "LockstepJSON", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/EvolutionScenarios"),
        .executableTarget(name: "evolutions", dependencies: ["EvolutionScenarios"], path: "Tests/Evolutions"),
        .testTarget(
            name: "LockstepSchemaTests",
            dependencies: ["LockstepEvolution", "LockstepJSON", "LockstepReview", "LockstepSchema", "TestSupport"]),
        .testTarget(
            name: "LockstepImportTests",
            dependencies: [
                "ImportedModels", "LockstepGenerator", "LockstepImport", "LockstepJSON", "LockstepMerge",
                "LockstepSchema", "LockstepStore", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures", "Expected"]),
        // The schemas that LockstepImportTests makes of its fixtures, compiled.
        .target(
            name: "ImportedModels", dependencies: ["LockstepStore"], path: "Tests/ImportedModels",
            plugins: ["LockstepBuildPlugin"]),
        // The maps that LockstepImportTests makes of its fixtures, compiled.
        .target(name: "ImportedMaps", dependencies: ["LockstepCoreData"], path: "Tests/ImportedMaps"),
        .testTarget(
            name: "LockstepCoreDataTests",
            dependencies: [
                "ImportedMaps", "ImportedModels", "LockstepCoreData", "LockstepImport", "LockstepJSON",
                "LockstepStore", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures", "make-core-data-stores"]),
        .testTarget(
            name: "LockstepGeneratorTests",
            dependencies: [
                "LockstepEvolution", "LockstepGenerator", "LockstepJSON", "LockstepSchema", "LockstepSystem",
                "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "LockstepStoreTests",
            dependencies: [
                "LockstepEvolution", "LockstepJSON", "LockstepStore", "SampleTypes", "StoreSamples", "TestSupport",
            ]),
        // Diagrams and data dictionaries, as text and in a browser.
        .testTarget(
            name: "LockstepPagesTests",
            dependencies: [
                "LockstepDiagrams", "LockstepDictionary", "LockstepEvolution", "LockstepHTML", "LockstepSchema",
                "TestSupport",
            ]),
        .testTarget(
            name: "LockstepCommandTests",
            dependencies: [
                "Journal", "LockstepEvolution", "LockstepGenerator", "LockstepSchema", "LockstepStore",
                "LockstepTesting", "OutputKills", "TestSupport", "lockstep", "lockstep-emit",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // Files of stores, of every kind and in every state, as `lockstep inspect` shows them.
        .testTarget(
            name: "LockstepInspectTests",
            dependencies: [
                "Journal", "KitchenSink", "LockstepInspect", "LockstepJSON", "LockstepMerge", "LockstepStore",
                "LockstepSync", "LockstepSystem", "LockstepTesting", "SampleTypes", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Expected"]),
        // Runs of `lockstep` that are killed, and what the next one makes of it; `make kills` does many.
        .target(name: "OutputKills", dependencies: ["TestSupport"], path: "Tests/OutputKills"),
        .executableTarget(name: "kills", dependencies: ["OutputKills"], path: "Tests/Kills"),
        // Which folders of a module use which, by the types that each declares; `make arrows` prints it.
        .target(name: "FolderArrows", path: "Tests/FolderArrows"),
        .executableTarget(name: "folder-arrows", dependencies: ["FolderArrows"], path: "Tests/FolderArrowsTool"),
        .testTarget(name: "FolderArrowsTests", dependencies: ["FolderArrows"]),
        // Packages of users, made in a temporary folder and built by SwiftPM.
        .testTarget(
            name: "PackageTests",
            dependencies: ["LockstepStore", "LockstepSync", "LockstepTesting", "LockstepUI", "TestSupport"],
            exclude: ["Fixtures"]),

        // The user's own types that KitchenSink.yaml names.
        .target(name: "SampleTypes", dependencies: ["LockstepStore"], path: "Tests/SampleTypes"),
        .testTarget(
            name: "GeneratedTests",
            dependencies: [
                "LockstepStore", "LockstepSystem", "TestSupport", "SampleTypes", "ReservedNames", "InternalSample",
                "MainActorModels",
            ]),
        // The same as KitchenSink, with internal access and in a few files.
        .target(
            name: "InternalSample", dependencies: ["LockstepStore", "SampleTypes"], path: "Tests/InternalSample",
            plugins: ["LockstepBuildPlugin"]),
        // Models and queries as in a new Xcode project, where declarations are isolated to the main actor by default.
        .target(
            name: "MainActorModels", dependencies: ["LockstepStore"], path: "Tests/MainActorModels",
            plugins: ["LockstepBuildPlugin"]),
        .target(
            name: "ReservedNames", dependencies: ["LockstepStore"], path: "Tests/ReservedNames",
            plugins: ["LockstepBuildPlugin"]),
        // Schemas made by seed, for the tests that merge anything into anything: what makes them, what writes them to
        // Tests/RandomSchemas/Schemas, and their models.
        .target(name: "RandomSchemaMaker", dependencies: ["TestSupport"], path: "Tests/RandomSchemas/Maker"),
        .executableTarget(
            name: "random-schemas", dependencies: ["RandomSchemaMaker"], path: "Tests/RandomSchemas/Write"),
        .target(
            name: "RandomSchemas", dependencies: ["LockstepStore"], path: "Tests/RandomSchemas/Schemas",
            plugins: ["LockstepBuildPlugin"]),
        // What the tests of the store save: every type of attribute, every kind of relationship. They are a target of
        // their own because SwiftPM cannot link tests that use a plugin with tests of the tool that the plugin runs.
        .target(
            name: "StoreSamples", dependencies: ["LockstepStore", "SampleTypes"], path: "Tests/StoreSamples",
            plugins: ["LockstepBuildPlugin"]),
        // A tree whose JSON nests, with every delete rule.
        .target(
            name: "Forest", dependencies: ["LockstepStore"], path: "Tests/Forest", plugins: ["LockstepBuildPlugin"]),
        // Links of every form, for the rules of merging.
        .target(
            name: "Museum", dependencies: ["LockstepStore"], path: "Tests/Museum", plugins: ["LockstepBuildPlugin"]),
        // Relationships that are their own inverse, and lists that delete or unlink.
        .target(
            name: "Social", dependencies: ["LockstepStore"], path: "Tests/Social", plugins: ["LockstepBuildPlugin"]),
        // Records that refer to each other.
        .target(name: "Crew", dependencies: ["LockstepStore"], path: "Tests/Crew", plugins: ["LockstepBuildPlugin"]),
        // Lists of identities and of records, of one relationship.
        .target(
            name: "Baskets", dependencies: ["LockstepStore"], path: "Tests/Baskets", plugins: ["LockstepBuildPlugin"]),
        // What a usual company API has: camelCase, dates as milliseconds, paths in kebab-case.
        .target(
            name: "Workshop", dependencies: ["LockstepStore"], path: "Tests/Workshop",
            plugins: ["LockstepBuildPlugin"]),
        // Embedded records whose identities the server makes.
        .target(
            name: "Orders", dependencies: ["LockstepStore"], path: "Tests/Orders", plugins: ["LockstepBuildPlugin"]),
        // What the resilience tests do to a store in processes of their own, which they kill.
        .target(
            name: "StoreScenario",
            dependencies: ["LockstepStore", "LockstepSync", "LockstepTesting", "OfflineTasks", "Shop", "TestSupport"],
            path: "Tests/StoreScenario"),
        .executableTarget(name: "kills-app", dependencies: ["StoreScenario"], path: "Tests/KillsApp"),
        .executableTarget(
            name: "store-process", dependencies: ["LockstepStore", "Shop", "StoreScenario"], path: "Tests/StoreProcess"),
        .testTarget(
            name: "StoreResilienceTests",
            dependencies: ["LockstepStore", "Shop", "StoreScenario", "TestSupport", "store-process"]),
        // Devices, a server and everything that goes wrong between them, by seed; `make scenarios` runs many.
        .target(
            name: "SyncSimulation",
            dependencies: [
                "LockstepStore", "LockstepSync", "LockstepTesting", "TestSupport", "Forest", "Museum", "Orders",
                "Social", "Crew",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/SyncSimulation"),
        // Servers that harm, on purpose or by a fault, and what an app does that meets one; `make hostile` measures it.
        .target(
            name: "HostileServers", dependencies: ["LockstepStore", "LockstepSync", "TestSupport"],
            path: "Tests/HostileServers"),
        .executableTarget(name: "hostile", dependencies: ["HostileServers"], path: "Tests/Hostile"),
        .executableTarget(name: "scenarios", dependencies: ["SyncSimulation"], path: "Tests/Scenarios"),
        .testTarget(name: "SyncSimulationTests", dependencies: ["SyncSimulation"]),
        // Three versions of one schema with its history, and devices that change from each to the next, by seed;
        // `make version-scenarios` runs many.
        .target(
            name: "JournalV1", dependencies: ["LockstepStore"], path: "Tests/VersionSamples/V1",
            plugins: ["LockstepBuildPlugin"]),
        .target(
            name: "JournalV2", dependencies: ["LockstepStore"], path: "Tests/VersionSamples/V2",
            plugins: ["LockstepBuildPlugin"]),
        .target(
            name: "JournalV3", dependencies: ["LockstepStore"], path: "Tests/VersionSamples/V3",
            plugins: ["LockstepBuildPlugin"]),
        // Two versions of one schema, with conversions that the app writes.
        .target(
            name: "PeopleV1", dependencies: ["LockstepStore"], path: "Tests/People1",
            plugins: ["LockstepBuildPlugin"]),
        .target(
            name: "PeopleV3", dependencies: ["LockstepStore"], path: "Tests/People3",
            plugins: ["LockstepBuildPlugin"]),
        .target(
            name: "VersionSimulation",
            dependencies: [
                "JournalV1", "JournalV2", "JournalV3", "LockstepJSON", "LockstepStore", "LockstepSync",
                "LockstepSystem", "LockstepTesting", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/VersionSimulation"),
        .executableTarget(
            name: "version-scenarios", dependencies: ["VersionSimulation"], path: "Tests/VersionScenarios"),
        .testTarget(
            name: "VersionSimulationTests",
            dependencies: [
                "JournalV1", "JournalV2", "LockstepStore", "LockstepSync", "LockstepTesting", "VersionSimulation",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// What `lockstep generate` makes of Schemas/: targets of their own, compiled and tested like any code.
for schema in ["Journal", "SchematicCapture", "OfflineTasks", "Shop", "Checklist", "KitchenSink"] {
    package.targets.append(
        .target(
            name: schema,
            dependencies: ["LockstepStore", "SampleTypes"],
            path: "Generated/\(schema)",
            exclude: ["\(schema).sqlite.sql"]
        ))
    for user in package.targets
    where [
        "GeneratedTests", "LockstepStoreTests", "LockstepSyncTests", "LockstepTestingTests", "SyncSimulation",
        "HostileServers",
    ].contains(user.name) {
        user.dependencies.append(.target(name: schema))
    }
}

// Strict from the first commit: the same settings for every target of Swift code. LOCKSTEP_STRICT is set by `make
// check` and in CI.
let isStrict = Context.environment["LOCKSTEP_STRICT"] == "1"
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if ["MainActorModels", "Screens"].contains(target.name) {
        target.swiftSettings?.append(.defaultIsolation(MainActor.self))
    }
    if isStrict { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}

// A build plugin's tool is built before anything else, with the configuration of the app, and in release twice. It
// writes a few files: optimizing it takes users far longer than it saves.
let toolOnly: Set = ["LockstepReview", "LockstepSchema", "LockstepGenerator", "LockstepEmission", "lockstep-emit"]
precondition(toolOnly.isSubset(of: package.targets.map(\.name)))
// On Linux, the linker can remove an unused function of an app only if it has its own section.
let functionSections = ["-Xfrontend", "-function-sections"]
if isDependency {
    for target in package.targets where target.type == .regular || target.type == .executable {
        target.swiftSettings?.append(
            toolOnly.contains(target.name)
                ? .unsafeFlags(["-Onone"], .when(configuration: .release))
                : .unsafeFlags(functionSections, .when(platforms: [.linux], configuration: .release)))
    }
}
