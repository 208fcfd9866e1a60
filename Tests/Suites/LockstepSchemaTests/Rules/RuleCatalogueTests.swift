import Testing

@testable import LockstepSchema

@Suite("The catalogue of rules")
struct RuleCatalogueTests {
    @Test("has one entry for each rule, and no duplicate codes")
    func hasEachCodeOnce() {
        let codes = DiagnosticCatalogue.ruleEntries.map(\.code.rawValue)
        #expect(codes.count == rules.count)
        #expect(Set(codes).count == codes.count)
    }

    @Test("shows a wrong schema with its code and no other", arguments: DiagnosticCatalogue.ruleEntries)
    func wrongIsWrong(entry: CatalogueEntry) {
        let reading = readSchemas(entry.wrongSources)
        #expect(Set(reading.diagnostics.map(\.code.rawValue)) == [entry.code.rawValue])
        #expect(reading.schemas.isEmpty == reading.hasErrors)
    }

    @Test("shows a valid schema without diagnostics", arguments: DiagnosticCatalogue.ruleEntries)
    func rightIsRight(entry: CatalogueEntry) {
        let reading = readSchemas([SchemaSource(path: "right.yaml", bytes: Array(entry.right.utf8))])
        #expect(reading.diagnostics.map(\.message) == [])
        #expect(reading.schemas.count == 1)
    }
}
