import Foundation
import LockstepSystem

/// The copies of a store's file from before migrations, beside it: `<file>.before-<version>`, with their journals.
///
/// Only regular files are copies: a link or a folder with such a name is somebody else's (Rules.md, F2).
struct MigrationCopies {
    /// The path of the store's file, behind links.
    let path: String

    static let journals = ["-wal", "-shm", "-journal"]
    private static let suffix = ".before-"

    /// The path of the copy from before the migration to a version.
    func path(version: Int) -> String { "\(path)\(Self.suffix)\(version)" }

    /// The paths of all copies and their journals.
    func all() -> [String] {
        let folder = (path as NSString).deletingLastPathComponent
        let prefix = (path as NSString).lastPathComponent + Self.suffix
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            guard name.hasPrefix(prefix) else { return false }
            let version = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
            let rest = String(name.dropFirst(prefix.count + version.count))
            return !version.isEmpty && (rest.isEmpty || Self.journals.contains(rest))
        }.map { (folder as NSString).appendingPathComponent($0) }.filter(PrivateFile.isFile)
    }

    /// Makes room for the copy from before the migration to a version.
    ///
    /// - Returns: Its path; `nil` if something else has its name.
    func makeRoom(version: Int) -> String? {
        let path = path(version: version)
        let paths = [path] + Self.journals.map { path + $0 }
        for path in paths { PrivateFile.remove(at: path) }
        return paths.contains(where: PrivateFile.hasName) ? nil : path
    }

    /// Deletes all copies.
    func remove() { for path in all() { PrivateFile.remove(at: path) } }
}
