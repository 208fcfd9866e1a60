import Foundation
import TestSupport
import Testing

@testable import LockstepSchema

@Suite("Names that generated code and the modules beside it use are known")
struct NamesInCodeTests {
    /// The public types of these folders that are not in another type.
    ///
    /// - Parameter indentsConditions: Whether what is in a condition is indented once.
    private func publicTypes(in folders: [URL], indentsConditions: Bool) throws -> Set<String> {
        let keywords = "(?:class|struct|enum|protocol|actor|typealias)"
        let type = try Regex(
            "^(?:@\\w+ )*(?:public|open) (?!import)(?:\\w+ )*?\(keywords) ([A-Z]\\w*)",
            as: (Substring, Substring).self)
        var names: Set<String> = []
        for folder in folders {
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
            for case let file as URL in files where file.pathExtension == "swift" {
                var isConditional = false
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    if line.hasPrefix("#") { isConditional = line.hasPrefix("#if") || line.hasPrefix("#else") }
                    let text = isConditional && indentsConditions ? line.trimmingPrefix("    ") : line
                    if let match = text.firstMatch(of: type) { names.insert(String(match.1)) }
                }
            }
        }
        return names
    }

    /// The source of GRDB. If the build folder is another one, it has another place.
    private static let grdb = Documentation.root.appendingPathComponent(".build/checkouts/GRDB.swift/GRDB")

    @Test("the types that an app imports with its models are known")
    func exportedTypes() throws {
        let names = try publicTypes(
            in: [
                "Tables", "Store", "Values", "JSON", "HTTP", "MergeEngine", "Merge", "Remotes", "Sync", "UI",
            ].map { module in
                Documentation.root.appendingPathComponent("Sources/Lockstep\(module)")
            }, indentsConditions: true)
        #expect(names == ReservedNames.lockstep)
    }

    @Test(
        "the types of GRDB, which Lockstep exports, are known",
        .enabled(if: FileManager.default.fileExists(atPath: grdb.path)))
    func databaseTypes() throws {
        let names = try publicTypes(in: [Self.grdb], indentsConditions: false)
        #expect(names.contains("DatabaseQueue"))
        #expect(names.subtracting(ReservedNames.grdb) == [])
    }

    /// `scope.runtime("RowReader")`; the schema Zoo, which is compiled, has the others as attributes.
    @Test("a member does not hide a type that generated code names, or was compiled with its name")
    func typesInGeneratedCode() throws {
        let folder = Documentation.root.appendingPathComponent("Sources/LockstepGenerator/Swift")
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            for call in text.matches(of: /(?:runtime|standard|foundation)\(([^()\n]*)\)/) {
                names.formUnion(call.output.1.matches(of: /"([A-Z]\w*)"/).map { String($0.output.1) })
            }
        }
        #expect(names.isSuperset(of: ["ValueComparison", "RowRepresentation", "String", "URL"]))
        let path = "Tests/Samples/MainActorModels/Zoo.lockstep.yaml"
        let text = try Data(contentsOf: Documentation.root.appendingPathComponent(path))
        let schema = try #require(readSchemas([SchemaSource(path: path, bytes: Array(text))]).schemas.first)
        let compiled = try #require(schema.entities.first { $0.name == "TypeNames" }).attributes.map(\.name)
        #expect(names.subtracting(ReservedNames.types).subtracting(ReservedNames.members).subtracting(compiled) == [])
    }

    /// A case with the name of a static property is an invalid redeclaration, or does not fulfil a requirement.
    @Test("no case has the name of a static property that enums have")
    func staticProperties() throws {
        let folder = Documentation.root.appendingPathComponent("Sources/LockstepTables/Values")
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            var isOfEnums = false
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if !line.hasPrefix(" ") {
                    let owner = /(?:protocol|extension) (?:IdentityValue|AttributeValue|OpenEnum|ClosedEnum)\b/
                    isOfEnums = line == "}" ? false : line.contains(owner)
                }
                guard isOfEnums, let match = line.firstMatch(of: /static (?:var|let) (\w+)/) else { continue }
                names.insert(String(match.output.1))
            }
        }
        #expect(names.contains("placeholder"))
        #expect(names.subtracting(SwiftName.unusableCases) == [])
    }
}
