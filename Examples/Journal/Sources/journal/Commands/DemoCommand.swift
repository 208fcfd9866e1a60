import ArgumentParser
import Foundation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Tells how two devices and a server come to the same journal.",
        discussion: "It writes to a temporary folder only, and takes a moment.")

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "journal-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await DemoStory(folder: folder).tell()
    }
}
