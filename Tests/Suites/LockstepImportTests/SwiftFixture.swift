import Foundation
import LockstepImport
import Testing

/// Sources that were written for these tests, with what an import must make of them.
struct SwiftFixture: CustomTestStringConvertible {
    static let all = ["Voyages", "Gardens.swift", "Kennels.swift", "Memberships.swift"].map(SwiftFixture.init)

    let file: String
    var name: String { (file as NSString).deletingPathExtension }
    var testDescription: String { name }

    private var url: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/Swift/\(file)")
    }

    /// The contents of its files, by their names.
    var contents: [String: Data] {
        get throws {
            let isFolder = !file.hasSuffix(".swift")
            let names = isFolder ? try FileManager.default.contentsOfDirectory(atPath: url.path) : [file]
            return try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, try Data(contentsOf: isFolder ? url.appendingPathComponent(name) : url))
                })
        }
    }

    func imported(hasVersions: Bool = false, hasRows: Bool = false) throws -> ImportedSchema {
        try importSchema(
            [ImportInput(path: url.path)], options: ImportOptions(hasVersions: hasVersions, hasRows: hasRows))
    }
}

/// The schema of files with these contents, by their names, in a folder `App`.
func importingSwift(_ files: [String: Data], hasVersions: Bool = false) throws -> ImportedSchema {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let app = folder.appendingPathComponent("App")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, contents) in files {
        let file = app.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents.write(to: file)
    }
    return try importSchema([ImportInput(path: app.path)], options: ImportOptions(hasVersions: hasVersions))
}

func importingSwift(_ text: String, hasVersions: Bool = false) throws -> ImportedSchema {
    try importingSwift(["App.swift": Data(text.utf8)], hasVersions: hasVersions)
}
