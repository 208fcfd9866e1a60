import Foundation
import LockstepImport
import LockstepSchema
import Testing

@Suite("Models of SwiftData and Realm become schemas")
struct SwiftImportTests {
    @Test("A fixture of each feature becomes the expected schema and report", arguments: SwiftFixture.all)
    func fixture(_ fixture: SwiftFixture) throws {
        let imported = try fixture.imported()
        #expect(try imported.text == ImportFixture.expected("\(fixture.name).lockstep.yaml"))
        let report = imported.report.text("Schemas/\(fixture.name).yaml")
        #expect(try report == ImportFixture.expected("\(fixture.name).txt"))
    }

    @Test(
        "With --rows, the map of a fixture is the expected one",
        arguments: SwiftFixture.all.filter { $0.name != "Kennels" })
    func map(_ fixture: SwiftFixture) throws {
        let map = try #require(try fixture.imported(hasRows: true).companions.first)
        #expect(map.name == "\(fixture.name)Rows.swift")
        #expect(try map.text == ImportFixture.expected(map.name))
    }

    @Test("The schema breaks no rule", arguments: SwiftFixture.all)
    func rules(_ fixture: SwiftFixture) throws {
        let text = try fixture.imported().text
        let reading = readSchemas([SchemaSource(path: "\(fixture.name).yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.isEmpty)
        #expect(reading.schemas.map(\.name) == [fixture.name])
    }

    @Test("Realm has no rows that can be copied, and says what to do")
    func realmRows() throws {
        let failure = #expect(throws: ImportFailure.self) {
            try SwiftFixture(file: "Kennels.swift").imported(hasRows: true)
        }
        #expect(failure?.line == 4)
        #expect(failure?.reason.hasPrefix("`--rows` is only for SwiftData; read a file of Realm with its SDK.") == true)
    }

    @Test("Versioned schemas become a history, with renames")
    func versions() throws {
        let imported = try SwiftFixture(file: "Gardens.swift").imported(hasVersions: true)
        #expect(try imported.text == ImportFixture.expected("Gardens.yaml"))
        #expect(try imported.history == ImportFixture.expected("Gardens.history.yaml"))
        let source = VersionedSource(
            schema: SchemaSource(path: "Gardens.yaml", bytes: Array(imported.text.utf8)),
            history: SchemaSource(path: "Gardens.history.yaml", bytes: Array((imported.history ?? "").utf8)))
        #expect(readVersions([source], checking: .release).diagnostics.filter { $0.severity == .error }.isEmpty)
    }
}
