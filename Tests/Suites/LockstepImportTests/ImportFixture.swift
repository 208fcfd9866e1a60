import Foundation
import LockstepImport
import Testing

/// A model that was written for these tests, with what an import must make of it.
struct ImportFixture: CustomTestStringConvertible {
    static let names = [
        "Types", "Transformables", "Links", "Circles", "Inheritance", "Libraries", "Groot", "Names", "Diary",
    ]
    static let all = names.map { ImportFixture(name: $0) }

    let name: String
    var testDescription: String { name }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    static func expected(_ file: String) throws -> String {
        let folder =
            switch file {
            case _ where file.hasSuffix(".lockstep.yaml") || file.hasSuffix(".swift"):
                folder.appendingPathComponent("../../Samples/ImportedModels").standardized
            default: folder.appendingPathComponent("Expected")
            }
        return try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }

    var bundle: String { Self.folder.appendingPathComponent("Fixtures/\(name).xcdatamodeld").path }

    var contents: String {
        get throws { try String(contentsOfFile: "\(bundle)/\(name).xcdatamodel/contents", encoding: .utf8) }
    }

    func imported(hasVersions: Bool = false, hasRows: Bool = false) throws -> ImportedSchema {
        try importSchema(
            [ImportInput(path: bundle)], options: ImportOptions(hasVersions: hasVersions, hasRows: hasRows))
    }
}

/// A model with these contents, in a temporary folder.
func importing(_ contents: Data, named name: String = "Shop") throws -> ImportedSchema {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let model = folder.appendingPathComponent("\(name).xcdatamodel")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try contents.write(to: model.appendingPathComponent("contents"))
    return try importSchema([ImportInput(path: model.path)], options: ImportOptions())
}

func importing(_ contents: String, named name: String = "Shop") throws -> ImportedSchema {
    try importing(Data(contents.utf8), named: name)
}

/// A model with these entities.
func model(_ entities: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model>
    \(entities)
    </model>
    """
}
