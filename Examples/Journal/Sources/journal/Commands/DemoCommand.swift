import ArgumentParser
import Foundation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows how two devices and a server sync a journal.",
        discussion: "Writes only to a temporary folder.")

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "journal-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await DemoStory(folder: folder).tell()
    }
}
