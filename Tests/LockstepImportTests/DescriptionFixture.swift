import Foundation
import LockstepImport
import Testing

/// A file that was written for these tests, with what an import must make of it.
struct DescriptionFixture: CustomTestStringConvertible {
    static let openAPI = [
        DescriptionFixture(file: "Blog.openapi.yaml", name: "Blog"),
        DescriptionFixture(file: "Store.openapi.json", name: "Store"),
        DescriptionFixture(file: "Library.schema.json", name: "Library"),
    ]
    static let rails = [DescriptionFixture(file: "Forum.schema.rb", name: "Forum")]

    let file: String
    let name: String
    var testDescription: String { file }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    var path: String { Self.folder.appendingPathComponent("Fixtures/\(file)").path }

    var contents: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    func imported() throws -> ImportedSchema { try importSchema([ImportInput(path: path)], ImportOptions(name: name)) }

    /// Writes what is expected, if the environment asks for it, so that a change of the output can be reviewed in Git.
    func update(_ imported: ImportedSchema) throws {
        guard ProcessInfo.processInfo.environment["UPDATE_EXPECTED"] == "1" else { return }
        let models = Self.folder.deletingLastPathComponent().appendingPathComponent("ImportedModels")
        try imported.text.write(
            to: models.appendingPathComponent("\(name).lockstep.yaml"), atomically: true, encoding: .utf8)
        try imported.report.text("Schemas/\(name).yaml").write(
            to: Self.folder.appendingPathComponent("Expected/\(name).txt"), atomically: true, encoding: .utf8)
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
    return try importSchema([ImportInput(path: path.path)], ImportOptions(name: "Shop"))
}
