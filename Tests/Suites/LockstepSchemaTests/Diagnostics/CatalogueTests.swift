import LockstepEvolution
import LockstepReview
import Testing

@testable import LockstepSchema

@Suite("The catalogue of diagnostics")
struct CatalogueTests {
    @Test("The wrong example of an entry has its code and no other", arguments: DiagnosticCatalogue.entries)
    func wrong(entry: CatalogueEntry) throws {
        if case .command = entry.trigger { return }
        let findings = try Self.findings(entry, entry.wrongSources)
        // A note on the costs is one of every change of values.
        let codes = Set(findings.filter { $0.severity != .note || $0.code == entry.code }.map(\.code))
        #expect(codes == [entry.code], "\(findings.map(\.message))")
    }

    @Test("Its corrected example has none", arguments: DiagnosticCatalogue.entries)
    func right(entry: CatalogueEntry) throws {
        let findings = try Self.findings(entry, [SchemaSource(entry.right)], isRight: true)
        #expect(findings.filter { $0.severity != .note || $0.code == entry.code } == [], "\(findings.map(\.message))")
    }

    private static func findings(
        _ entry: CatalogueEntry, _ sources: [SchemaSource], isRight: Bool = false
    ) throws -> [Diagnostic] {
        switch entry.trigger {
        case .text, .twice, .including, .latin1, .padded, .command:
            guard entry.code == .historyMissing else { return readSchemas(sources).diagnostics }
            return readVersions(sources.map { VersionedSource(schema: $0) }, checking: .build).diagnostics
        case .history:
            if isRight { return readSchemas(sources).diagnostics }
            let source = VersionedSource(schema: SchemaSource(entry.right), history: sources[0])
            return readVersions([source], checking: .release).diagnostics
        case .recorded(let text, version: let version):
            let history = SchemaSource(try history(of: text, version: version).yaml, path: "test.history.yaml")
            let source = VersionedSource(schema: sources[0], history: history)
            return readVersions([source], checking: .release).diagnostics
        case .compared(with: let text):
            let reading = readVersions([VersionedSource(schema: sources[0])], checking: .history)
            let schema = try #require(reading.schemas.first)
            let compatibility = try schema.compatibility(
                with: .structure(try history(of: text, version: 1).base, version: 1), called: "main", oldest: nil,
                checking: [.wire])
            return reading.diagnostics + schema.diagnostics(of: compatibility)
        case .changed(from: let text):
            let reading = readVersions([VersionedSource(schema: sources[0])], checking: .history)
            let schema = try #require(reading.schemas.first)
            let review = try schema.review(from: try history(of: text, version: 1).base, hints: ReviewHints())
            return reading.diagnostics + schema.diagnostics(of: review.findings, command: "lockstep migrate")
        }
    }

    private static func history(of text: String, version: Int) throws -> SchemaHistory {
        let reading = readSchemas([SchemaSource(text)])
        #expect(reading.diagnostics == [])
        return SchemaHistory(
            beginningWith: SchemaTree(try #require(reading.schemas.first).structure), version: version)
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
