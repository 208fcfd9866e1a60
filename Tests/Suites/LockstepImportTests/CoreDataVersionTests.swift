import Foundation
import LockstepImport
import Testing

/// Bundles of several versions.
@Suite("Versions of a Core Data model")
struct CoreDataVersionTests {
    /// Imports a bundle whose versions have one entity `A` with these attributes, named `M`, `M 2`, …
    private func importing(
        _ versions: [[(name: String, renamingID: String?)]], hasVersions: Bool = true, current: String? = "M 2"
    ) throws -> ImportedSchema {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appendingPathComponent("Shop.xcdatamodeld")
        for (index, attributes) in versions.enumerated() {
            let version = bundle.appendingPathComponent(index == 0 ? "M.xcdatamodel" : "M \(index + 1).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let lines = attributes.map { attribute in
                let id = attribute.renamingID.map { " elementID=\"\($0)\"" } ?? ""
                return "<attribute name=\"\(attribute.name)\" optional=\"YES\" attributeType=\"String\"\(id)/>"
            }
            let text = model("<entity name=\"A\">\(lines.joined(separator: "\n"))</entity>")
            try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
        }
        if let current {
            let list = ["_XCCurrentVersionName": "\(current).xcdatamodel"]
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
                .write(to: bundle.appendingPathComponent(".xccurrentversion"))
        }
        return try importSchema([ImportInput(path: bundle.path)], options: ImportOptions(hasVersions: hasVersions))
    }

    private func renamingNotes(_ imported: ImportedSchema) -> [ImportNote] {
        imported.report.notes.filter { $0.text.contains("renam") }
    }

    @Test("Two attributes that change places by their renaming identifiers take their values along")
    func swap() throws {
        let imported = try importing([[("a", nil), ("b", nil)], [("a", "b"), ("b", "a")]])
        let history = try #require(imported.history)
        #expect(history.components(separatedBy: "- rename: A.").count == 4, "one goes by a third name: \(history)")
        #expect(renamingNotes(imported).isEmpty)
    }

    @Test("Names that move on are renamed in order")
    func chain() throws {
        let imported = try importing([[("a", nil), ("b", nil)], [("b", "a"), ("c", "b")]])
        let history = try #require(imported.history)
        #expect(history.contains("- rename: A.b\n        to: c\n"))
        #expect(history.contains("- rename: A.a\n        to: b\n"))
        #expect(renamingNotes(imported).isEmpty)
    }

    @Test("A renaming identifier can be that of a version before the last one")
    func sameIdentifier() throws {
        let imported = try importing([[("a", nil)], [("b", "a")], [("c", "a")]], current: "M 3")
        let history = try #require(imported.history)
        #expect(history.contains("- rename: A.a\n        to: b\n"))
        #expect(history.contains("- rename: A.b\n        to: c\n"))
        #expect(renamingNotes(imported).isEmpty)
    }

    @Test("A rename to a name that something else had is a loss, with a warning")
    func taken() throws {
        let imported = try importing([[("a", nil), ("b", nil)], [("b", "a")]])
        #expect(imported.history?.contains("rename:") == false)
        let note = try #require(renamingNotes(imported).first)
        #expect(note.kind == .left)
        #expect(
            note.text
                == "M 2: 'A.a' cannot be renamed to 'b', because the version before it has both")
        #expect(note.help?.hasPrefix("The values stay under their former names.") == true)
        #expect(renamingNotes(imported).count == 1)
    }

    @Test(
        "A renaming identifier that no version has is said to rename nothing, and one that is the name is not reported")
    func unused() throws {
        let imported = try importing([[("a", nil)], [("a", "a"), ("b", "z")]])
        let notes = renamingNotes(imported)
        #expect(notes.map(\.text) == ["A.b: the renaming identifier 'z'"])
        #expect(notes.first?.help == "No earlier version that was imported has this name, so nothing was renamed.")
    }

    @Test("Without a renaming identifier, another name is a removal and an addition, and the report says so")
    func possibleRename() throws {
        let imported = try importing([[("a", nil)], [("b", nil)]])
        #expect(imported.history?.contains("- remove: A.a\n") == true)
        #expect(imported.history?.contains("- add: A.b\n") == true)
        #expect(
            imported.notes(.decided).contains { $0.hasPrefix("M 2: 'A.a' is gone") && $0.hasSuffix("--remove A.a") })
    }

    @Test("Without .xccurrentversion, the report says which version is the current one", arguments: [false, true])
    func noCurrentVersion(_ hasVersions: Bool) throws {
        let versions = [[("a", nil)], [("a", nil), ("b", nil)]] as [[(name: String, renamingID: String?)]]
        let text = "There is no .xccurrentversion, so the last version is the current one: M 2"
        let imported = try importing(versions, hasVersions: hasVersions, current: nil)
        #expect(imported.notes(.decided).contains(text))
        #expect(imported.lines.contains("b: string?"))
        #expect(try !importing(versions, hasVersions: hasVersions).notes(.decided).contains(text))
        #expect(try !importing([versions[0]], hasVersions: hasVersions, current: nil).notes(.decided).contains(text))
    }

    /// Imports a bundle with these files in its versions, named `M`, `M 2`, …, the last of which is the current one.
    private func importing(files: [(name: String, text: String)]) throws -> ImportedSchema {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appendingPathComponent("Shop.xcdatamodeld")
        for (index, file) in files.enumerated() {
            let version = bundle.appendingPathComponent(index == 0 ? "M.xcdatamodel" : "M \(index + 1).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(file.text.utf8).write(to: version.appendingPathComponent(file.name))
        }
        return try importSchema([ImportInput(path: bundle.path)], options: ImportOptions(hasVersions: true))
    }

    private func entity(_ name: String, _ members: String) -> String { "<entity name=\"\(name)\">\(members)</entity>" }

    private func attribute(_ name: String, _ type: String = "String") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
    }

    @Test("An old version that cannot be read is left out, and the others are imported")
    func unreadable() throws {
        let versions = [attribute("a"), attribute("b"), attribute("c")].map { model(entity("A", $0)) }
        let imported = try importing(files: [
            ("contents", versions[0]), ("elements", ""), ("contents", "<model><entity"), ("contents", versions[1]),
            ("contents", versions[2]),
        ])
        #expect(imported.history?.contains("- remove: A.a\n") == true)
        #expect(imported.history?.contains("- add: A.c\n") == true)
        let left = imported.notes(.left)
        #expect(left.count == 2)
        #expect(left.first?.hasPrefix("The version M 2: ") == true)
        #expect(left.first?.contains("There is no file 'contents' in it.") == true)
        #expect(left.last?.hasPrefix("The version M 3: ") == true)
    }

    @Test("A current version that cannot be read is an error")
    func unreadableCurrent() throws {
        let old = model(entity("A", attribute("a")))
        #expect(throws: ImportFailure.self) { try importing(files: [("contents", old), ("elements", "")]) }
    }

    @Test("An entity whose identity changes is removed and added, and nothing before it is forgotten")
    func identity() throws {
        let link = "<relationship name=\"a\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"A\"/>"
        let other = entity("B", attribute("id") + link)
        let imported = try importing(
            files: [
                model(entity("A", attribute("a")) + other), model(entity("A", attribute("b")) + other),
                model(entity("A", attribute("b") + attribute("id")) + other),
                model(entity("A", attribute("b") + attribute("id", "Integer 64")) + other),
            ].map { ("contents", $0) })
        let history = try #require(imported.history)
        #expect(history.contains("- remove: A.a\n"))
        #expect(history.components(separatedBy: "- remove: A\n").count == 3)
        #expect(history.components(separatedBy: "- add: A\n").count == 3)
        #expect(imported.notes(.left).isEmpty)
        #expect(imported.notes(.decided).contains("M 3: The identity of 'A' changes: --remove A"))
    }

    @Test("Of an entity whose identity changes, no member is renamed or removed by itself")
    func identityWithMembers() throws {
        let renamed = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\" elementID=\"name\"/>"
        let imported = try importing(
            files: [
                model(entity("A", attribute("id") + attribute("name") + attribute("old"))),
                model(entity("A", attribute("remoteID") + renamed)),
            ].map { ("contents", $0) })
        let history = try #require(imported.history)
        #expect(!history.contains("rename:"))
        #expect(history.components(separatedBy: "- remove:").count == 2)
        // What was removed is the whole entity, with its identity.
        #expect(history.contains("identity: id\n") && history.contains("id: { type: string }\n"))
        #expect(imported.notes(.decided).filter { $0.contains("--remove") }.count == 1)
    }
}
