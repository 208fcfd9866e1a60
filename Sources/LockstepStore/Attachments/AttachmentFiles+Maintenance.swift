import Foundation
import GRDB

extension AttachmentFiles {
    /// Removes files whose hash is not one of these, and what downloads and saves of other files left behind.
    ///
    /// - Returns: The number of complete files that were removed.
    func removeUnused(but used: Set<String>) throws -> Int {
        var count = 0
        for name in Self.names(in: folder) {
            guard let hash = AttachmentReference.hash(name), !used.contains(hash) else { continue }
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            count += 1
        }
        for name in Self.names(in: incomingFolder) where !name.hasSuffix(Self.newSuffix) {
            let hash = name.prefix { $0 != "." }
            if !used.contains(String(hash)) || isWhole(String(hash)) {
                try? FileManager.default.removeItem(at: incomingFolder.appendingPathComponent(name))
            }
        }
        removeLeftovers()
        return count
    }

    private func isWhole(_ hash: String) -> Bool {
        FilePieces.size(folder.appendingPathComponent(hash)) != nil
    }

    /// Removes incomplete files that a killed process left behind. Files of the last day are kept, since they may
    /// belong to a save in another process.
    func removeLeftovers() {
        let oldest = Date(timeIntervalSinceNow: -Self.leftoverSeconds)
        for name in Self.names(in: incomingFolder) where name.hasSuffix(Self.newSuffix) {
            let url = incomingFolder.appendingPathComponent(name)
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
            guard let date = attributes?[.modificationDate] as? Date, date < oldest else { continue }
            try? FileManager.default.removeItem(at: url)
        }
    }

    private static let leftoverSeconds: TimeInterval = 86_400

    /// The names of the files in a folder; empty if there is no folder.
    private static func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// The sizes of complete files whose hash is not one of these.
    func others(than used: Set<String>) -> [(hash: String, size: Int)] {
        Self.names(in: folder).compactMap { name in
            guard let hash = AttachmentReference.hash(name), !used.contains(hash) else { return nil }
            return (hash, FilePieces.size(folder.appendingPathComponent(name)) ?? 0)
        }
    }

    /// The number of interrupted downloads, and of files that were moved aside.
    func incompleteCounts() -> (incomplete: Int, damaged: Int) {
        let names = Self.names(in: incomingFolder)
        return (names.count { $0.hasSuffix(".part") }, names.count { $0.hasSuffix(".damaged") })
    }

    /// Reads a file and checks it against its hash.
    package func check(_ reference: AttachmentReference) throws {
        let url = url(reference)
        guard FilePieces.size(url) != nil else { return }
        var hasher = ContentHasher()
        try AttachmentError.wrapping(AttachmentError.operation, url) {
            try FilePieces.read(url) { hasher.update($0) }
        }
        guard hasher.finished() == reference else { throw AttachmentError.damaged(reference, url) }
    }

    /// Copies those files of these references that are on this device to another store's folder.
    func copy(_ references: [AttachmentReference], toStoreAt store: URL) throws {
        let others = AttachmentFiles(of: .file(store))
        let wasThere = FileManager.default.fileExists(atPath: others.folder.path)
        do {
            for reference in references where has(reference) {
                let content = AttachmentContent(reference, .store(self))
                if let staged = try others.stage(content) { try others.place(staged, reference) }
            }
            FilePieces.synchronize(folder: others.folder)
        } catch {
            if !wasThere { try? FileManager.default.removeItem(at: others.folder) }
            throw error
        }
    }
}
