import CMigrateFloor
import Foundation
import LedgerFirst
import LockstepStore

/// The file of the first version, and copies of it.
struct Workplace: Sendable {
    let folder: URL
    let count: Int

    init(folder: String, count: Int) throws {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
        self.count = count
        try Store(LedgerFirst.LedgerSchema.self, at: .file(first)).close()
        migrate_floor_fill(first.path, Int64(count))
    }

    /// The file of the first version.
    var first: URL { url("first") }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name + ".sqlite") }

    /// A copy of the first version's file. That file is complete, because it was closed.
    func copy(_ name: String) throws -> URL {
        remove(name)
        try FileManager.default.copyItem(at: first, to: url(name))
        return url(name)
    }

    /// Removes a file with its journal, and the copies that migrations have made of it.
    func remove(_ name: String) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for file in files where file.hasPrefix(name + ".sqlite") {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(file))
        }
    }

    /// Ends the process unless two files have all entries, with the same values in columns of the same names.
    func expectSame(_ one: URL, _ other: URL) {
        let sums = [one, other].map { migrate_floor_sum($0.path) }
        guard sums[0].rows == sums[1].rows, sums[0].hash == sums[1].hash, sums[0].rows == count else {
            fatalError("other rows in \(one.path) than in \(other.path): \(sums), and not \(count)")
        }
    }
}
