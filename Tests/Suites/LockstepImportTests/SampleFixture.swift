import Foundation
import LockstepImport
import Testing

/// Samples that were written for these tests, with what an import must make of them.
struct SampleFixture: CustomTestStringConvertible {
    static let all = [
        SampleFixture(name: "Birds", files: ["sightings", "observers"]),
        SampleFixture(name: "Shipments", files: ["shipments"]), SampleFixture(name: "Essays", files: ["essays"]),
        SampleFixture(name: "Taverns", files: ["taverns"]), SampleFixture(name: "Gadgets", files: ["gadgets"]),
        SampleFixture(name: "Threads", files: ["threads"]), SampleFixture(name: "Harvests", files: ["harvests"]),
        SampleFixture(name: "Potteries", files: ["potteries"]),
    ]

    let name: String
    let files: [String]
    var testDescription: String { name }

    static func path(_ file: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/JSON/\(file).json")
            .path
    }

    func imported() throws -> ImportedSchema {
        try importSchema(files.map { try ImportInput(path: Self.path($0)) }, options: ImportOptions(name: name))
    }
}

/// Files with these names and contents, in a temporary folder.
func importing(
    samples files: [(name: String, text: String)], as name: String? = nil
) throws -> ImportedSchema {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var inputs: [ImportInput] = []
    for file in files {
        let url = folder.appendingPathComponent(file.name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: url)
        inputs.append(try ImportInput(path: url.path))
    }
    return try importSchema(inputs, options: ImportOptions(name: name))
}

/// One file of things.
func importing(sample text: String) throws -> ImportedSchema { try importing(samples: [("things.json", text)]) }

extension ImportedSchema {
    /// The texts of a kind of notes.
    func notes(_ kind: ImportNote.Kind) -> [String] { report.notes.filter { $0.kind == kind }.map(\.text) }

    /// The lines of the schema without comments before it.
    var lines: [String] { text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) } }
}
