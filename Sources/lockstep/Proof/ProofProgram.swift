#if Import
    import LockstepGenerator
    import LockstepSchema

    /// The files of a package that opens a store of a schema, merges records and encodes them again.
    ///
    /// What knows the models is in a module of its own, in which no name of the schema can hide one of Foundation's.
    struct ProofProgram {
        /// The schema, with its history.
        let schema: VersionedSchema
        /// Other Swift that was made with the schema, such as what copies the rows of a Core Data store.
        let companions: [String]
        /// The folder of Lockstep's package.
        let lockstep: String

        /// The name of the package and of its program.
        static let name = "lockstep-proof"
        private static let shardCount = 8

        var files: [GeneratedFile] {
            let models = generate(schema.schema, filling: Self.shardCount, access: .internal, history: schema.history)
            return [
                GeneratedFile(path: "Package.swift", contents: Array(manifest.utf8)),
                GeneratedFile(path: "Sources/ProofSupport/ProofSupport.swift", contents: Array(Self.support.utf8)),
                GeneratedFile(path: "Sources/\(Self.name)/main.swift", contents: Array(main.utf8)),
                GeneratedFile(
                    path: "Sources/\(Self.name)/Companions.swift", contents: Array(companions.joined().utf8)),
            ]
                + models.enumerated().map {
                    GeneratedFile(path: "Sources/\(Self.name)/Models.\($0 + 1).swift", contents: $1)
                }
        }

        private var manifest: String {
            """
            // swift-tools-version: 6.2
            import PackageDescription

            let runtime = ["LockstepCoreData", "LockstepMerge", "LockstepStore"].map {
                Target.Dependency.product(name: $0, package: "lockstep")
            }
            let package = Package(
                name: "\(Self.name)", platforms: [.macOS(.v14)],
                dependencies: [.package(name: "lockstep", path: \(SwiftLiteral.string(lockstep)))],
                targets: [
                    .target(name: "ProofSupport", dependencies: runtime),
                    .executableTarget(name: "\(Self.name)", dependencies: ["ProofSupport"] + runtime),
                ])

            """
        }

        private var main: String {
            """
            import ProofSupport

            await prove(\(schema.schema.swiftName).self)

            """
        }

        /// `lockstep-proof samples|rows FOLDER`. With `samples`, it reads the records of `NAMES`, a line for each
        /// entity, from `1.json` and so on, and writes what came back to `1.out.json` and so on, and what was not read
        /// to `LINES`. With `rows`, `LINES` has a line for each entity: its name, the number of rows, and how many of
        /// them come back equal.
        private static let support = #"""
            import Foundation
            import LockstepMerge
            import LockstepStore

            @MainActor public func prove<Schema: StoreSchema>(_ schema: Schema.Type) async {
                do { try await run(schema) } catch {
                    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
                    exit(1)
                }
            }

            @MainActor func run<Schema: StoreSchema>(_ schema: Schema.Type) async throws {
                let folder = URL(fileURLWithPath: CommandLine.arguments[2])
                let store = try Store(schema, at: .file(folder.appendingPathComponent("proof.sqlite")))
                let lines =
                    CommandLine.arguments[1] == "samples"
                    ? try await Samples(store: store, folder: folder).prove(schema.entities)
                    : try await Rows(from: store, to: Store(schema, at: .inMemory)).prove(schema.entities)
                try Data(lines.joined(separator: "\n").utf8).write(to: folder.appendingPathComponent("LINES"))
            }

            @MainActor extension Store {
                /// The records of an entity; `nil` for one that cannot be encoded.
                func json<Object: Model>(of type: Object.Type) throws -> [Data?] {
                    try mainContext.fetch(Object.all()).map { try? encode($0) }
                }

                func encode(_ object: any Model) throws -> Data {
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                    return try encoder.encode(object)
                }

                /// Merges records; those of an entity without an identity of the server are created.
                ///
                /// - Returns: Those that were created, and lines about those that were not read.
                func take<Object: Model>(
                    _ json: Data, as type: Object.Type
                ) async throws -> (created: [Object?]?, skipped: [String]) {
                    let attempts = try JSONDecoder().decode([Attempt<Object.Representation>].self, from: json)
                    let decoded = attempts.compactMap { try? $0.result.get() }
                    if !decoded.isEmpty, decoded.allSatisfy({ $0.wireIdentity == nil }) {
                        var (created, skipped): ([Object?], [String]) = ([], [])
                        for (number, attempt) in zip(1..., attempts) {
                            switch attempt.result {
                            case .success(let value):
                                created.append(Object(representation: value, context: mainContext))
                            case .failure(let error):
                                created.append(nil)
                                skipped.append("record \(number): \(error)")
                            }
                        }
                        try await mainContext.save()
                        return (created, skipped)
                    }
                    return (nil, try await merge(json, into: type).skipped.map { "\($0)" })
                }
            }

            /// A record that can perhaps be decoded.
            struct Attempt<Value: Decodable>: Decodable {
                let result: Result<Value, any Error>

                init(from decoder: any Decoder) throws { result = Result { try Value(from: decoder) } }
            }

            func array(_ elements: [Data]) -> Data {
                Data("[".utf8) + Data(elements.joined(separator: Data(",".utf8))) + Data("]".utf8)
            }

            @MainActor struct Samples {
                let store: Store
                let folder: URL

                func prove(_ types: [any Model.Type]) async throws -> [String] {
                    var lines: [String] = []
                    let names = try String(contentsOf: folder.appendingPathComponent("NAMES"), encoding: .utf8)
                    var made: [(number: Int, type: any Model.Type, created: [(any Model)?]?)] = []
                    for (number, name) in zip(1..., names.split(separator: "\n")) {
                        guard let type = types.first(where: { $0.entity.name == name }) else { continue }
                        let (created, skipped) = try await take(number, as: type)
                        made.append((number, type, created))
                        lines += skipped
                    }
                    for (number, type, created) in made {
                        let null = Data("null".utf8)
                        let records = try created.map { try $0.map { try $0.map(store.encode) ?? null } }
                        try array(records ?? store.json(of: type).map { $0 ?? null })
                            .write(to: folder.appendingPathComponent("\(number).out.json"))
                    }
                    return lines
                }

                private func take<Object: Model>(
                    _ number: Int, as type: Object.Type
                ) async throws -> (created: [(any Model)?]?, skipped: [String]) {
                    let json = try Data(contentsOf: folder.appendingPathComponent("\(number).json"))
                    let (created, skipped) = try await store.take(json, as: type)
                    return (created, skipped.map { "\(type.entity.name), \($0)" })
                }
            }

            @MainActor struct Rows {
                let store: Store
                let copy: Store

                init(from store: Store, to copy: Store) { (self.store, self.copy) = (store, copy) }

                func prove(_ types: [any Model.Type]) async throws -> [String] {
                    // A record may refer to one of a later entity, and is complete once that is there.
                    for type in types + types { try await take(type) }
                    return try types.flatMap { try lines($0) }
                }

                private func take<Object: Model>(_ type: Object.Type) async throws {
                    // What has no identity would be created twice.
                    if try copy.mainContext.fetch(Object.all()).contains(where: { $0.wireIdentity == nil }) { return }
                    _ = try await copy.take(array(store.json(of: type).compactMap(\.self)), as: type)
                }

                private func lines<Object: Model>(_ type: Object.Type) throws -> [String] {
                    let rows = try store.json(of: type)
                    var others: [Data: Int] = [:]
                    for case let json? in try copy.json(of: type) { others[json, default: 0] += 1 }
                    var equal = 0
                    for case let json? in rows where others[json, default: 0] > 0 {
                        others[json, default: 0] -= 1
                        equal += 1
                    }
                    let lost = rows.count { $0 == nil }
                    return ["\(type.entity.name)\t\(rows.count)\t\(equal)"]
                        + (lost > 0 ? ["\(lost) cannot be sent: JSON has no infinite numbers"] : [])
                }
            }

            """#
    }
#endif
