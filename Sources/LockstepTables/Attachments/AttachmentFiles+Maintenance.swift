package import Foundation
import GRDB
import LockstepSystem

extension AttachmentFiles {
    /// Removes files whose hash is not one of these, and what downloads and saves of other files left behind.
    ///
    /// - Returns: The number of complete files that were removed.
    package func removeUnused(but used: Set<String>) throws -> Int {
        guard let folder = try opened() else { return 0 }
        var count = 0
        for name in folder.names {
            guard let hash = AttachmentReference.hash(name), !used.contains(hash) else { continue }
            if try folder.remove(name) { count += 1 }
        }
        guard let incoming = try openedIncoming(folder) else { return count }
        for name in incoming.names where !name.hasSuffix(Self.newSuffix) {
            let hash = String(name.prefix { $0 != "." })
            if !used.contains(hash) || folder.byteCount(of: hash) != nil { _ = try? incoming.remove(name) }
        }
        removeLeftovers()
        return count
    }

    /// Removes incomplete files that a killed process left behind. Files of the last day are kept, since they may
    /// belong to a save in another process.
    package func removeLeftovers() {
        guard let incoming = try? opened().flatMap(openedIncoming) else { return }
        let oldest = Date(timeIntervalSinceNow: -Self.leftoverSeconds)
        for name in incoming.names where name.hasSuffix(Self.newSuffix) {
            guard let date = incoming.modificationDate(of: name), date < oldest else { continue }
            _ = try? incoming.remove(name)
        }
    }

    private static let leftoverSeconds: TimeInterval = 86_400

    /// The sizes of complete files whose hash is not one of these.
    package func others(than used: Set<String>) -> [(hash: String, size: Int)] {
        guard let folder = try? opened() else { return [] }
        return folder.names.compactMap { name in
            guard let hash = AttachmentReference.hash(name), !used.contains(hash) else { return nil }
            return (hash, folder.byteCount(of: name) ?? 0)
        }
    }

    /// The number of interrupted downloads, and of files that were moved aside.
    package func incompleteCounts() -> (incomplete: Int, damaged: Int) {
        let names = (try? opened().flatMap(openedIncoming)?.names) ?? []
        return (names.count { $0.hasSuffix(".part") }, names.count { $0.hasSuffix(".damaged") })
    }

    /// Reads a file and checks it against its hash.
    package func check(_ reference: AttachmentReference) throws {
        guard try opened()?.byteCount(of: reference.hash) != nil else { return }
        let url = url(reference)
        var hasher = ContentHasher()
        try AttachmentError.wrapping(AttachmentError.operation, at: url) {
            try FilePieces.read(openFile(reference)) { hasher.update($0) }
        }
        guard hasher.finished() == reference else { throw AttachmentError.damaged(reference, at: url) }
    }

    /// Copies those files of these references that are on this device to another store's folder.
    package func copy(_ references: [AttachmentReference], toStoreAt store: URL) throws {
        let others = AttachmentFiles(of: .file(store))
        let wasThere = FileManager.default.fileExists(atPath: others.folder.path)
        do {
            for reference in references where has(reference) {
                let content = AttachmentContent(reference, source: .store(self))
                if let staged = try others.stage(content) { try others.place(staged, reference: reference) }
            }
            FilePieces.synchronize(folder: others.folder)
        } catch {
            if !wasThere { try? FileManager.default.removeItem(at: others.folder) }
            throw error
        }
    }
}
