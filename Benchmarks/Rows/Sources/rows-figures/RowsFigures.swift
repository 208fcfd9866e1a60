import CFloorBase
import CRowsFloor
import Contests
import Foundation
import LockstepCoreData
import LockstepStore

/// The rows of a file of Core Data are copied into a new store. The floor copies them with SQL alone.
struct RowsFigures {
    private let folder: URL
    private let count: Int
    private let rounds: Int

    /// Writes the file of Core Data, and an empty store.
    init(folder: String, count: Int, rounds: Int) throws {
        (self.folder, self.count, self.rounds) = (URL(fileURLWithPath: folder, isDirectory: true), count, rounds)
        rows_floor_fill(source.path, Int64(count))
        try Store(NotebookSchema.self, at: .file(empty)).close()
    }

    private var source: URL { url("source") }
    private var empty: URL { url("empty") }

    private func url(_ name: String) -> URL { folder.appendingPathComponent(name + ".sqlite") }

    /// A copy of the empty store. Its file is complete, because it was closed.
    private func new(_ name: String) throws -> URL {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url(name).path + suffix)
        }
        try FileManager.default.copyItem(at: empty, to: url(name))
        return url(name)
    }

    func print() async throws {
        let (ours, floors) = (url("ours"), url("floor"))
        try await Contest(
            "copy the rows of a Core Data store",
            lockstep: {
                let store = try Store(NotebookSchema.self, at: .file(try new("ours")))
                let rows = CoreDataRows(at: source, map: .notebook, as: .received)
                var copy: CoreDataCopy?
                let time = try await timed { copy = try await rows.copy(into: store) }
                try store.close()
                guard let copy, copy.copied == sum(ours).rows, copy.problems.isEmpty, !copy.isRepeated else {
                    fatalError("not all rows were copied: \(copy as Any)")
                }
                return time
            },
            floor: {
                let database = rows_floor_open(try new("floor").path)
                defer { rows_floor_close(database) }
                return timed { rows_floor_copy(database, source.path) }
            }
        ).print(rounds: rounds)
        let sums = [sum(ours), sum(floors)]
        guard sums[0].rows == sums[1].rows, sums[0].hash == sums[1].hash, sums[0].rows > count else {
            fatalError("other rows in \(ours.path) than in \(floors.path): \(sums)")
        }
        guard floor_pending_count(ours.path) == 0, floor_pending_count(floors.path) == 0 else {
            fatalError("rows that the server has are pending")
        }
    }

    private func sum(_ url: URL) -> rows_floor_sum { rows_floor_sum(url.path) }
}
