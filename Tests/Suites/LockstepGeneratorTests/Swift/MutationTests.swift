import Foundation
import LockstepGenerator
import LockstepSchema
import Testing
import TestSupport

@Suite("Every valid schema can be generated")
struct MutationTests {
    @Test(
        "Words of a valid schema are swapped; if the schema is still valid, it is generated",
        arguments: Seeds.some(2, of: UInt64(1)...4))
    func swappedWords(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var accepted = 0
        for name in ["Shop", "Checklist", "KitchenSink"] {
            let text = try Documentation.text(of: "Schemas/\(name).yaml")
            let words = text.split(omittingEmptySubsequences: false) { " ,{}[]:?\n".contains($0) }.map(String.init)
                .filter { !$0.isEmpty }
            for _ in 0..<120 {
                let (old, new) = (words.randomElement(using: &random) ?? "", words.randomElement(using: &random) ?? "")
                guard let range = text.ranges(of: old).randomElement(using: &random) else { continue }
                let mutated = text.replacingCharacters(in: range, with: new)
                let reading = readSchemas([SchemaSource(path: "a.yaml", bytes: Array(mutated.utf8))])
                for schema in reading.schemas {
                    accepted += 1
                    let files = generate(schema, options: GenerationOptions(dialects: [.sqlite, .postgresql]))
                    #expect(files.allSatisfy { !$0.contents.isEmpty })
                    #expect(Set(files.map(\.path)).count == files.count)
                }
                #expect(reading.schemas.isEmpty == reading.diagnostics.contains { $0.severity == .error })
            }
        }
        #expect(accepted > 30)
    }
}
