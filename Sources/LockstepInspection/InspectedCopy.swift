import Foundation

/// A copy of a store's file in a temporary folder that only this user can read.
///
/// A process that is killed leaves its copy behind, with all values of the store. The folder's name therefore contains
/// the number of the process, and the next copy deletes the folders of processes that no longer exist.
struct InspectedCopy {
    private let folder: URL
    private static let prefix = "lockstep-inspect-"
    static let suffixes = ["", "-wal", "-journal"]

    init() {
        let name = "\(Self.prefix)\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
    }

    var file: URL { folder.appendingPathComponent("store.sqlite") }

    /// Copies a file and its journal.
    ///
    /// - Throws: The system's error.
    func make(of path: String) throws {
        Self.deleteAbandoned()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for suffix in Self.suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: file.path + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path + suffix)
        }
    }

    func delete() { try? FileManager.default.removeItem(at: folder) }

    /// Deletes the copies of processes that were killed. What belongs to other users stays.
    private static func deleteAbandoned() {
        let temporary = FileManager.default.temporaryDirectory
        for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? [] {
            guard let process = process(of: name), kill(process, 0) != 0, errno == ESRCH else { continue }
            try? FileManager.default.removeItem(at: temporary.appendingPathComponent(name))
        }
    }

    /// The process that has made a folder; `nil` if it is another folder.
    private static func process(of name: String) -> pid_t? {
        guard name.hasPrefix(prefix) else { return nil }
        // 0 and negative numbers are groups of processes.
        return pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }).flatMap { $0 > 0 ? $0 : nil }
    }
}
