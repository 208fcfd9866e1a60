import Testing

@testable import LockstepSchema
import TestSupport

@Suite("Any damaged schema is read or reported")
struct MutationTests {
    /// Each seed makes 1,000 mutations; a failure is reproduced with its seed and number.
    @Test(
        "Thousands of mutations: no crash, a position per finding, never a schema with an error",
        arguments: Seeds.some(4, of: UInt64(0)...9))
    func mutations(seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        let originals = Self.schemas.map { Array($0.utf8) }
        for number in 0..<1_000 {
            let original = originals[number % originals.count]
            let source = SchemaSource(path: "test.yaml", bytes: Mutation.mutated(original, &generator))
            let reading = readSchemas([source])
            let problem = problem(of: reading, source)
            #expect(problem == nil, "seed \(seed), number \(number):\n\(String(decoding: source.bytes, as: UTF8.self))")
            if problem != nil { return }
        }
    }

    @Test("The schemas have no diagnostics before they are mutated")
    func originals() {
        for schema in Self.schemas { #expect(readSchemas([SchemaSource(schema)]).diagnostics.isEmpty) }
    }

    @Test("The mutations reach every stage: some schemas stay valid, some fail in YAML, the grammar and the rules")
    func reach() {
        var generator = SeededRandom(seed: 0)
        let original = Array(Self.schemas[1].utf8)
        let codes = (0..<500).flatMap { _ -> [String] in
            let source = SchemaSource(path: "test.yaml", bytes: Mutation.mutated(original, &generator))
            let found = Set(readSchemas([source]).diagnostics.map(\.code.rawValue))
            return found.isEmpty ? ["none"] : Array(found)
        }
        let counts = Dictionary(codes.map { ($0, 1) }, uniquingKeysWith: +)
        for code in ["none", "yaml-syntax", "unknown-key", "wrong-kind", "unknown-type", "unknown-identity-attribute"] {
            #expect(counts[code, default: 0] >= 5, "\(code): \(counts)")
        }
        #expect(counts["yaml-syntax", default: 0] < 300)
        #expect(counts.count >= 20)
    }

    private func problem(of reading: SchemaReading, _ source: SchemaSource) -> String? {
        if reading.hasErrors != reading.schemas.isEmpty { return "a schema with an error, or neither" }
        let lines = TextLines(source.bytes)
        for diagnostic in reading.diagnostics {
            for place in [diagnostic.location] + diagnostic.notes.map(\.location) where !isInside(place, lines) {
                return "\(diagnostic.code.rawValue) at \(place.short) is outside"
            }
            if diagnostic.message.isEmpty || diagnostic.remedy.isEmpty {
                return "\(diagnostic.code.rawValue) says nothing"
            }
        }
        let text = DiagnosticRenderer(sources: [source]).text(reading.diagnostics)
        return reading.diagnostics.isEmpty == text.isEmpty ? nil : "no text"
    }

    private func isInside(_ range: SourceRange, _ lines: TextLines) -> Bool {
        let start = range.start
        guard range.path == "test.yaml", (1...lines.count).contains(start.line), start.column >= 1 else { return false }
        // One past the last column is the position of something missing.
        return start.column <= lines.line(start.line).unicodeScalars.count + 1 && start <= range.end
    }

    static let schemas = [
        """
        lockstep: 1
        schema: Journal
        enums:
          Mood: [sad, neutral, happy]
        entities:
          Entry:
            doc: One page of the journal.
            identity: identifier
            attributes:
              identifier: uuid
              title: string
              bodyText: string?
              mood: { type: Mood, default: neutral }
              timestamp: { type: date, default: now }
        """,
        """
        lockstep: 1
        schema: Shop
        version: 1
        doc: Products, their pictures and what people say of them.
        access: public
        wire: { names: snake_case, dates: iso8601 }
        columns: snake_case
        enums:
          Size: { small: S, large: L }
          Priority: { type: int, cases: { low: 0, high: { value: 10, doc: Much. } } }
        types:
          Money: { stored: decimal }
        entities:
          Dated:
            abstract: true
            attributes:
              createdAt: &date { type: date, wire: "yyyy-MM-dd HH:mm:ss Z", default: now }
          Product:
            extends: Dated
            attributes:
              id: int
              name: string
              size: Size?
              priority: Priority
              price: { type: Money, default: 0 }
              stock: { type: int, wire: string, min: 0 }
              imageURL: { type: url?, key: [image, url] }
              summary: { type: string, key: description, maxLength: 200, indexed: true }
              photo: { type: data?, attachment: true }
              labels: "[string]?"
              sku: { type: string, unique: true, renamedFrom: code, doc: "Stock keeping unit." }
            relationships:
              reviews: { to: [ProductReview], inverse: product, onDelete: cascade, sortedBy: -at }
              images: { to: [Picture], wire: embedded, ordered: true, onDelete: cascade }
              tags: { to: [Tag], inverse: products, wire: ids }
            indexes:
              - [size, createdAt]
              - { on: [name, size], unique: true }
            remote: { path: /products, write: [create, update], wrap: true }
          ProductReview:
            attributes: { id: int, name: string, at: *date }
            relationships:
              product: { to: Product?, inverse: reviews }
          Picture:
            identity: { local: localID, remote: remoteID }
            attributes: { localID: uuid, remoteID: int?, <<: { path: string } }
          Tag:
            attributes: { id: string }
            relationships: { products: { to: [Product], inverse: tags } }
            remote: none
        """,
    ]
}
