import Testing

@testable import LockstepSchema

@Suite("The catalogue of diagnostics")
struct CatalogueTests {
    @Test("The wrong example of an entry has its code and no other", arguments: DiagnosticCatalogue.entries)
    func wrong(entry: CatalogueEntry) {
        let findings = readSchemas(entry.wrongSources).diagnostics
        #expect(Set(findings.map(\.code)) == [entry.code], "\(findings.map(\.message))")
    }

    @Test("Its corrected example has none", arguments: DiagnosticCatalogue.entries)
    func right(entry: CatalogueEntry) {
        let findings = readSchemas([SchemaSource(entry.right)]).diagnostics
        #expect(findings.isEmpty, "\(findings.map(\.message))")
    }

    @Test("Each code has one entry, in kebab-case")
    func codes() {
        let codes = DiagnosticCatalogue.entries.map(\.code.rawValue)
        #expect(Set(codes).count == codes.count)
        for code in codes { #expect(code.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil, "\(code)") }
    }

    @Test("The page contains every entry, and each one can be requested separately")
    func page() throws {
        let page = DiagnosticCatalogue.markdown()
        for entry in DiagnosticCatalogue.entries {
            let part = try #require(DiagnosticCatalogue.markdown(for: entry.code))
            #expect(page.contains(part.dropLast()))
            #expect(part.contains(entry.wrong) && part.contains(entry.right) && part.contains(entry.explanation))
            #expect(page.contains("- [`\(entry.code.rawValue)`](#\(entry.code.rawValue)): \(entry.title)\n"))
        }
        #expect(DiagnosticCatalogue.markdown(for: DiagnosticCode(rawValue: "no-such-code")) == nil)
    }
}
