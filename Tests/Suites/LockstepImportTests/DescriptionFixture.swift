import Foundation
import LockstepImport
import Testing

/// A file that was written for these tests, with what an import must make of it.
struct DescriptionFixture: CustomTestStringConvertible {
    static let openAPI = [
        DescriptionFixture(file: "Gazette.openapi.yaml", name: "Gazette"),
        DescriptionFixture(file: "Parcels.openapi.json", name: "Parcels"),
        DescriptionFixture(file: "Herbarium.schema.json", name: "Herbaria"),
        DescriptionFixture(file: "Chores.openapi.yaml", name: "Chores"),
    ]
    static let rails = [DescriptionFixture(file: "Lounges.schema.rb", name: "Lounges")]

    let file: String
    let name: String
    var testDescription: String { file }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    var path: String { Self.folder.appendingPathComponent("Fixtures/\(file)").path }

    var contents: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    func imported() throws -> ImportedSchema {
        try importSchema([ImportInput(path: path)], options: ImportOptions(name: name))
    }
}

/// A file with this text, in a temporary folder.
func importing(_ text: String, file: String) throws -> ImportedSchema { try importing(Data(text.utf8), file: file) }

func importing(_ contents: Data, file: String) throws -> ImportedSchema {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent(file)
    try contents.write(to: path)
    return try importSchema([ImportInput(path: path.path)], options: ImportOptions(name: "Shop"))
}
