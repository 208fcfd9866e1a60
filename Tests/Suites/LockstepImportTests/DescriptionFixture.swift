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

/// Lines of YAML, each of which stands for ten times as many values as the one before.
func aliasesOfAliases(levels: Int) -> String {
    let first = "x0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    return (1...levels).reduce(into: first) { text, level in
        let list = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
        text += "x\(level): &a\(level) [\(list)]\n"
    }
}

/// Descriptions that tests write from the requests and the schemas that matter.
protocol DescriptionText {}

extension DescriptionText {
    /// A description with these paths, as lines of YAML, and schemas.
    func imported(_ paths: [String], schemas: [String]) throws -> ImportedSchema {
        let text = """
            openapi: 3.1.0
            paths:
            \(paths.map { "  \($0)" }.joined(separator: "\n"))
            components:
              schemas:
            \(schemas.map { "    \($0)" }.joined(separator: "\n"))
            """
        return try importing(text, file: "api.yaml")
    }

    func response(_ schema: String) -> String {
        "responses: { \"200\": { description: OK, content: { application/json: { schema: \(schema) } } } }"
    }

    func list(_ path: String, of name: String) -> String {
        "\(path): { get: { \(response("{ type: array, items: { $ref: \"#/components/schemas/\(name)\" } }")) } }"
    }

    func record(_ path: String, of name: String) -> String {
        "\(path): { get: { \(response("{ $ref: \"#/components/schemas/\(name)\" }")) }, delete: { responses: {} } }"
    }

    func schema(_ name: String, _ properties: String...) -> String {
        "\(name): { type: object, properties: { \(properties.joined(separator: ", ")) } }"
    }

    func json(_ name: String) -> String {
        "application/json: { schema: { $ref: \"#/components/schemas/\(name)\" } }"
    }

    func create(_ path: String, of name: String, sending content: String) -> String {
        "\(path): { get: { \(response("{ type: array, items: { $ref: \"#/components/schemas/\(name)\" } }")) }, "
            + "post: { requestBody: { content: { \(content) } }, responses: {} } }"
    }

    func replace(_ path: String, sending content: String) -> String {
        "\(path): { put: { requestBody: { content: { \(content) } }, responses: {} } }"
    }
}

/// Descriptions in several files.
protocol DescriptionFolder {}

extension DescriptionFolder {
    /// Imports the first of these files, in a folder `api` that has them all.
    func imported(
        _ files: KeyValuePairs<String, String>, prepare: (URL) throws -> Void = { _ in }
    ) throws -> ImportedSchema {
        let outside = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: outside) }
        let folder = outside.appendingPathComponent("api")
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try prepare(folder)
        let path = folder.appendingPathComponent(files[0].key).path
        return try importSchema([ImportInput(path: path)], options: ImportOptions(name: "Shop"))
    }

    func failure(_ files: KeyValuePairs<String, String>) throws -> ImportFailure {
        try #require(#expect(throws: ImportFailure.self) { try imported(files) })
    }

    func list(of reference: String) -> String {
        "get: { responses: { \"200\": { description: OK, content: { application/json: { schema: "
            + "{ type: array, items: { $ref: \"\(reference)\" } } } } } } }"
    }
}
