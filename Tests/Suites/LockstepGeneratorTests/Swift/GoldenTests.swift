import Foundation
import LockstepEvolution
@testable import LockstepGenerator
import LockstepSchema
import TestSupport
import Testing

@Suite("The generated output equals the committed files")
struct GoldenTests {
    /// Every schema whose output is committed.
    private static let goldens = ["Journal", "SchematicCapture", "OfflineTasks", "Shop", "Checklist", "KitchenSink"]
        .map { "Schemas/\($0).yaml" }

    /// One whose names make lines long and require qualified types; it is built by the plugin.
    private static let reservedNames = "Tests/Samples/ReservedNames/ReservedNames.lockstep.yaml"

    private static func schema(_ path: String) throws -> Schema {
        let bytes = Array(try Data(contentsOf: Documentation.root.appendingPathComponent(path)))
        let reading = readSchemas([SchemaSource(path: path, bytes: bytes)])
        #expect(reading.diagnostics.isEmpty)
        return try #require(reading.schemas.first)
    }

    private static func generated(_ path: String) throws -> [GeneratedFile] { generate(try schema(path)) }

    @Test("Byte for byte, and without additional files", arguments: goldens)
    func golden(_ path: String) throws {
        let files = try Self.generated(path)
        for file in files {
            let committed = try Data(contentsOf: Documentation.root.appendingPathComponent("Generated/" + file.path))
            #expect(String(decoding: file.contents, as: UTF8.self) == String(decoding: committed, as: UTF8.self))
        }
        let folder = try #require(files.first?.path.split(separator: "/").first)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Documentation.root.appendingPathComponent("Generated/\(folder)").path)
        #expect(Set(names) == Set(files.map { String($0.path.split(separator: "/")[1]) } + [".lockstep-manifest"]))
    }

    @Test("A change of the output changes the fingerprint of every input")
    func templatesDigits() throws {
        var text: [UInt8] = []
        for path in Self.goldens {
            let schema = try Self.schema(path)
            // It differs from what the history records, so that this is shown, too.
            let history = SchemaHistory(beginningWith: SchemaTree(name: schema.name), version: 1)
            let options = GenerationOptions(dialects: SQLDialect.allCases)
            for file in generate(schema, options: options, history: history) { text += file.path.utf8 + file.contents }
        }
        #expect(InputFingerprint.templatesDigits == ContentHash(text).digits, "Write the hash there.")
    }

    @Test(
        "No line is over 120 columns except JSON, none ends in a space, and there are no two empty lines in a row",
        arguments: goldens + [reservedNames])
    func looks(_ path: String) throws {
        let files = try Self.generated(path)
        for file in files where file.path.hasSuffix(".swift") {
            let lines = String(decoding: file.contents, as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false)
            var isJSON = false
            for (number, line) in zip(1..., lines) {
                if line.contains("#\"\"\"") || line.contains("\"\"\"#") { isJSON.toggle() }
                #expect(isJSON || line.count <= 120, "\(file.path):\(number)")
                #expect(line.last != " ", "\(file.path):\(number)")
            }
            #expect(!zip(lines, lines.dropFirst()).contains { $0.isEmpty && $1.isEmpty }, "\(file.path)")
        }
    }

    @Test("A declared type replaces one of ours only if intended")
    func qualification() throws {
        let files = try Self.generated(Self.reservedNames)
        let context = try #require(files.first { $0.path.hasSuffix("/ManagedObjectContext.swift") })
        let text = String(decoding: context.contents, as: UTF8.self)
        #expect(text.contains("context: LockstepStore.ManagedObjectContext"))
        #expect(
            text.contains(
                "package final class ManagedObjectContext: LockstepStore.ManagedObject, LockstepStore.Model {"))
        #expect(text.contains("package var name: Swift.String {"))
        #expect(text.contains("model: Model? = nil"))
    }
}
