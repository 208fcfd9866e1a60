import Foundation
import LockstepGenerator
import Testing

@Suite("Manifests are not trusted")
struct HostileManifestTests {
    let disk: TemporaryFolder
    let folder: OutputFolder
    private let entry = generated("Journal/Entry.swift", "entry")

    init() throws {
        disk = try TemporaryFolder()
        folder = OutputFolder(disk.path + "/Generated")
        try folder.apply(OutputPlan([entry], over: try folder.read(for: [entry])))
    }

    /// The hash that lockstep itself would list for this text.
    private func hash(of text: String) throws -> String {
        let other = try TemporaryFolder()
        let file = GeneratedFile(path: "A/a", contents: Array(text.utf8))
        let folder = OutputFolder(other.path)
        try folder.apply(OutputPlan([file], over: try folder.read(for: [file])))
        return String(try other.text("A/.lockstep-manifest").split(separator: "\n")[1].prefix(16))
    }

    private func append(_ path: String, hash: String) throws {
        let manifest = try disk.text("Generated/Journal/.lockstep-manifest")
        try disk.write("Generated/Journal/.lockstep-manifest", manifest + "\(hash)  \(path)\n")
    }

    private func run(force: Bool) throws {
        try folder.apply(OutputPlan([entry], over: try folder.read(for: [entry]), force: force))
    }

    @Test(
        "A manifest cannot remove anything outside its folder",
        arguments: [
            "../../precious", "../precious", "x/../../../precious", "./../../precious", "link/precious", "/precious",
            "\\..\\precious",
        ])
    func outside(path: String) throws {
        for name in ["precious", "Generated/precious", "aside/precious"] { try disk.write(name, "precious") }
        try FileManager.default.createSymbolicLink(
            atPath: disk.path + "/Generated/Journal/link", withDestinationPath: disk.path + "/aside"
        )
        let before = try disk.files()
        try append(path == "/precious" ? disk.path + path : path, hash: try hash(of: "precious"))
        try run(force: true)
        #expect(try disk.files() == before)
    }

    @Test("A manifest cannot remove a file that a run did not leave like this and that is not marked as generated")
    func foreignFile() throws {
        try disk.write("Generated/Journal/Notes.txt", "precious")
        try append("Notes.txt", hash: String(repeating: "0", count: 16))
        #expect(throws: OutputError.self) { try run(force: false) }
        try run(force: true)
        #expect(try disk.text("Generated/Journal/Notes.txt") == "precious")
        try run(force: false)
    }

    @Test("A link that replaced a file is not followed, and not removed")
    func link() throws {
        try disk.write("precious", "precious")
        try FileManager.default.createSymbolicLink(
            atPath: disk.path + "/Generated/Journal/Old.swift", withDestinationPath: disk.path + "/precious"
        )
        try append("Old.swift", hash: try hash(of: "precious"))
        try run(force: true)
        #expect(try disk.text("precious") == "precious")
        #expect(try disk.files()["Generated/Journal/Old.swift"] == "precious")
    }

    @Test("A link in place of a file is replaced only with --force, and its target is kept")
    func linkInTheWay() throws {
        try disk.write("precious", "precious")
        try disk.remove("Generated/Journal/Entry.swift")
        try FileManager.default.createSymbolicLink(
            atPath: disk.path + "/Generated/Journal/Entry.swift", withDestinationPath: disk.path + "/precious"
        )
        #expect(throws: OutputError.self) { try run(force: false) }
        try run(force: true)
        #expect(try disk.text("precious") == "precious")
        #expect(try disk.text("Generated/Journal/Entry.swift") == String(decoding: entry.contents, as: UTF8.self))
    }

    @Test("Unknown lines are ignored, and both sides of a merge are accepted")
    func damaged() throws {
        let manifest = try disk.text("Generated/Journal/.lockstep-manifest")
        let other = manifest.replacing(/[0-9a-f]{16}/, with: String(repeating: "a", count: 16))
        try disk.write(
            "Generated/Journal/.lockstep-manifest",
            "<<<<<<< ours\n\(manifest)=======\n\(other)>>>>>>> theirs\n\n\0\n  \nzzzzzzzzzzzzzzzz  x\n"
        )
        let changed = generated("Journal/Entry.swift", "changed")
        let plan = OutputPlan([changed], over: try folder.read(for: [changed]))
        #expect(plan.conflicts.isEmpty)
        #expect(plan.findings.map(\.kind) == [.stale])
    }

    @Test("The manifest of a newer lockstep stops the run")
    func newer() throws {
        try disk.write("Generated/Journal/.lockstep-manifest", "lockstep manifest 2\n")
        let error = #expect(throws: OutputError.self) { try run(force: true) }
        #expect(error?.code == .newerManifest)
    }
}
