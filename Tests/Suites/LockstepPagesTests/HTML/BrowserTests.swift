import Foundation
import LockstepHTML
import LockstepPages
import TestSupport
import Testing

/// What a reader sees, after the script of a page has run, without a network.
@Suite("Pages in a browser", .enabled(if: Chromium.isWanted), .serialized)
struct BrowserTests {
    /// The pages are the same for each test.
    private static let large: String = {
        let schema = try? PageSamples.schema(PageSamples.large(entities: 200))
        return schema.map { DataDictionary($0, history: nil).html } ?? ""
    }()

    @Test("Without a search, all entities are shown")
    func all() throws {
        let elements = try Chromium.elements(of: Self.large)
        #expect(shownSections(elements).count == 200)
        #expect(elements.contains("<div class=\"figure\" data-unsearched=\"\">"))
        #expect(found(elements) == "")
    }

    @Test("A search in the address shows the entities with that name")
    func name() throws {
        let elements = try Chromium.elements(of: Self.large, fragment: "q=entity17")
        let expected = Set(["entity-Entity17"] + (170...179).map { "entity-Entity\($0)" })
        #expect(Set(shownSections(elements)).isSuperset(of: expected))
        #expect(try #require(elements.section("entity-Entity17")).contains("<tr data-row=\"\"><td><code>id</code>"))
        #expect(found(elements).hasSuffix(" of 200"))
        #expect(elements.contains("<div class=\"figure\" data-unsearched=\"\" hidden=\"\">"))
    }

    @Test("A search for a row shows only this row of its entity")
    func row() throws {
        let elements = try Chromium.elements(of: try shop(), fragment: "q=when%20sold")
        #expect(shownSections(elements) == ["entity-Product"])
        let section = try #require(elements.section("entity-Product"))
        #expect(section.contains("<tr data-row=\"\"><td><code>soldAt</code>"))
        #expect(section.contains("<tr data-row=\"\" hidden=\"\"><td><code>id</code>"))
        #expect(found(elements) == "1 of 2")
    }

    @Test("A search that finds nothing shows nothing")
    func nothing() throws {
        let elements = try Chromium.elements(of: Self.large, fragment: "q=no%20such%20thing%25")
        #expect(shownSections(elements).isEmpty)
        #expect(found(elements) == "0 of 200")
        #expect(elements.contains("<div data-chapter=\"\" hidden=\"\">"))
    }

    @Test("A link to an entity is not a search")
    func link() throws {
        let elements = try Chromium.elements(of: Self.large, fragment: "entity-Entity5")
        #expect(shownSections(elements).count == 200)
    }

    @Test("Hostile documentation stays text, and runs nothing")
    func hostile() throws {
        let text = PageSamples.journal.replacing(
            "doc: One page of the journal.",
            with: #"doc: "</p></title></script><script>document.title = 'broken'</script><img src=x onerror=alert(1)>""#
        )
        let page = DataDictionary(try PageSamples.schema(text), history: nil).html
        let elements = try Chromium.elements(of: page)
        #expect(elements.contains("<title>Journal</title>"))
        #expect(!elements.contains("<img"))
        #expect(elements.components(separatedBy: "<script>").count == 2)
    }

    @Test("Rows without sections are found, too")
    func rows() throws {
        let rows = (0..<10_000).map { "<li data-row>Record \($0)</li>\n" as HTML }
        let page = HTMLPage(title: "Rows", body: "<ul>\n\(rows)</ul>").text
        let elements = try Chromium.elements(of: page, fragment: "q=record+9999")
        #expect(elements.components(separatedBy: "<li data-row=\"\">").count == 2)
        #expect(found(elements) == "1 of 10000")
    }

    // MARK: Helpers

    private func shop() throws -> String {
        let schema = try PageSamples.schema(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, soldAt: { type: date?, doc: When it was sold. } }
              Customer:
                attributes: { id: int, name: string }

            """)
        return DataDictionary(schema, history: nil).html
    }

    private func shownSections(_ elements: String) -> [String] {
        elements.matches(of: /<section id="([^"]+)" data-section="[^"]*"(?: class="[^"]*")?>/).map { String($0.1) }
    }

    private func found(_ elements: String) -> String {
        elements.firstMatch(of: /<output id="found" for="search">([^<]*)</).map { String($0.1) } ?? "missing"
    }
}

extension String {
    fileprivate func section(_ id: String) -> Substring? {
        guard let start = range(of: "<section id=\"\(id)\""),
            let end = self[start.lowerBound...].range(of: "</section>")
        else { return nil }
        return self[start.lowerBound..<end.lowerBound]
    }
}
