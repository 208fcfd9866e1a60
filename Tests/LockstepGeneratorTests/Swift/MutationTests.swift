import Foundation
import LockstepGenerator
import LockstepSchema
import Testing

@Suite("Whatever schema is accepted can be printed")
struct MutationTests {
    /// SplitMix64 (Steele, Lea, Flood 2014): one seed, one sequence.
    private struct SeededRandom: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "Words of a valid schema are put in each other's places; what is still valid is printed",
        arguments: [1, 2, 3, 4])
    func swappedWords(_ seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        var accepted = 0
        for name in ["Shop", "Checklist", "KitchenSink"] {
            let text = try String(contentsOf: Self.root.appendingPathComponent("Schemas/\(name).yaml"), encoding: .utf8)
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
