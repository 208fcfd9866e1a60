import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import SchematicCapture
import TestSupport
import Testing

/// Files are readable only by the user of this process, whatever its umask allows for new files.
@Suite("Files that contain records")
struct PrivateFilesTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    /// The modes of all files in a folder, at any depth.
    private func modes(in folder: URL) throws -> (files: [String: Int], folders: [String: Int]) {
        var found: (files: [String: Int], folders: [String: Int]) = ([:], [:])
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let path = folder.appendingPathComponent(name).path
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            let mode = try mode(path)
            if isFolder.boolValue { found.folders[name] = mode } else { found.files[name] = mode }
        }
        return found
    }

    private func save(_ store: Store, _ id: Int32) async throws {
        try await store.perform { context in
            Photo(id: id, name: "", imageData: FileAttachment(Data("bytes".utf8)), context: context)
            try context.save()
        }
    }

    @Test("Only the user can read a store's file, journal, attachments and backup")
    func store() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store(
                SchematicCaptureSchema.self, at: .file(folder.appendingPathComponent("capture.sqlite")))
            try await save(store, 1)
            try store.backup(to: folder.appendingPathComponent("backup.sqlite"))
            let (files, folders) = try modes(in: folder)
            let names = Set(files.keys)
            #expect(names.isSuperset(of: ["capture.sqlite", "capture.sqlite-wal", "backup.sqlite"]))
            #expect(files.count > 4)
            #expect(files.filter { $0.value != 0o600 }.isEmpty)
            #expect(folders.count == 3 || folders.count == 4)
            #expect(folders.filter { $0.value != 0o700 }.isEmpty)
        }
    }

    @Test("Only the user can read a partial or complete download")
    func download() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store(
                SchematicCaptureSchema.self, at: .file(folder.appendingPathComponent("capture.sqlite")))
            let attachment = FileAttachment(Data("bytes".utf8))
            let server = MemoryAttachments(pieceSize: 100)
            server.stored = [attachment.contentHash: Data("bytes".utf8)]
            try await store.merge(
                #"[{"id": 1, "name": "a", "imageData": "\#(attachment.reference)"}]"#, into: Photo.self)
            let report = try await AttachmentTransfer(store: store, remote: server).downloadMissing()
            #expect(report.downloaded.count == 1)
            let (files, folders) = try modes(in: folder)
            #expect(files.filter { $0.value != 0o600 }.isEmpty)
            #expect(folders.filter { $0.value != 0o700 }.isEmpty)
        }
    }

    @Test("An existing file keeps its permissions, and its journal has the same")
    func existing() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("capture.sqlite")
            try Store(SchematicCaptureSchema.self, at: .file(url)).close()
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
            let store = try Store(SchematicCaptureSchema.self, at: .file(url))
            try await save(store, 1)
            #expect(try mode(url.path) == 0o640)
            #expect(try mode(url.path + "-wal") == 0o640)
        }
    }

    @Test("Only the user can read the file of a FileRemote; an existing file keeps its mode")
    func fileRemote() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("server.json")
            let change = OutgoingChange.create(OfflineTasks.Task.self, #"{"title":"Bread"}"#, key: "a")
            _ = try await FileRemote(url).send(change)
            #expect(try modes(in: folder).files == ["server.json": 0o600, ".server.json.keys": 0o600])
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
            _ = try await FileRemote(url).send(.create(OfflineTasks.Task.self, #"{"title":"Milk"}"#, key: "b"))
            #expect(try mode(url.path) == 0o644)
            #expect(try modes(in: folder).files.count == 2)
        }
    }
}
