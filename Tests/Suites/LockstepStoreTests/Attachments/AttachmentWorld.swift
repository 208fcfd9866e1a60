import Foundation
@testable import LockstepStore
import SchematicCapture

/// Bytes that tell themselves apart.
func someBytes(_ count: Int, _ seed: UInt8 = 1) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) &+ seed })
}

/// A store of photos in a file, and the folder of its attachments as anybody sees it.
@MainActor
struct AttachmentWorld {
    let file: URL
    var store: Store

    init(in folder: URL) throws {
        file = folder.appendingPathComponent("capture.sqlite")
        store = try Store(SchematicCaptureSchema.self, at: .file(file))
    }

    var context: ManagedObjectContext { store.mainContext }

    /// The same store, opened anew, as after the end of the process.
    func reopened() throws -> AttachmentWorld {
        try store.close()
        return try AttachmentWorld(in: file.deletingLastPathComponent())
    }

    var folder: URL { URL(fileURLWithPath: file.resolvingSymlinksInPath().path + "-attachments") }
    var incoming: URL { folder.appendingPathComponent("incoming") }

    /// The names of the files that are seen as attachments.
    var names: [String] { list(folder).filter { $0 != "incoming" } }
    var incomingNames: [String] { list(incoming) }

    private func list(_ folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    func photo(_ id: Int32) throws -> Photo? { try context.find(Photo.self, id) }

    /// A photo as another context reads it.
    func read<Value: Sendable>(_ id: Int32, _ body: @escaping @Sendable (FileAttachment?) throws -> Value) async throws
        -> Value
    {
        try await store.perform { try body(try $0.find(Photo.self, id)?.imageData) }
    }
}
