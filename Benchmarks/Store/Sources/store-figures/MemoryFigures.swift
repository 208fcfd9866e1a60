import CFloorBase
import CStoreFloor
import Contests
import Figures
import Foundation
import GRDB
import LockstepStore
import Notebook

/// What the records that are read keep of the process's memory, each contestant in a process of its own.
struct MemoryFigures {
    let workplace: Workplace

    func print() throws {
        let url = try workplace.copy(full: true, "memory")
        defer { workplace.remove(url) }
        let bytes = try ["lockstep", "floor", "grdb"].map {
            try ChildProcess.figures(["--memory", $0, "--database", url.path])[0] / Double(workplace.count)
        }
        ResultsFile.append(
            BudgetResult(
                .liveModel, lockstep: bytes[0], floor: bytes[1], ratio: Ratio([bytes[0]], to: [bytes[1]]),
                others: [.init("GRDB Codable", bytes[2])]))
        Markdown.row([
            "memory of one live model", fixed(bytes[0], 0) + " B", "", fixed(bytes[1], 0) + " B",
            fixed(bytes[2], 0) + " B", fixed(bytes[0] / bytes[1], 2) + "×", "", fixed(bytes[2] / bytes[0], 2) + "×",
        ])
    }

    /// Reads every record, holds it and prints by how much that made the process larger.
    static func printGrowth(of contestant: String, _ database: String) async throws {
        let url = URL(fileURLWithPath: database)
        switch contestant {
        case "lockstep":
            let store = try Store(NotebookSchema.self, at: .file(url))
            try await store.perform { context in
                try printGrowth(warmUp: { _ = try context.fetch(Entry.limit(100)) }) { try context.fetch(Entry.all()) }
            }
        case "floor":
            let floor = floor_open(database)
            printGrowth(warmUp: { floor_free(floor_fetch(floor, 100)) }) { floor_fetch(floor, -1) }
        default:
            let pool = try DatabasePool(path: database)
            try await pool.read { database in
                try printGrowth(warmUp: { _ = try CodableEntry.limit(100).fetchAll(database) }) {
                    try CodableEntry.fetchAll(database)
                }
            }
        }
    }

    private static func printGrowth<Records>(warmUp: () throws -> Void, _ read: () throws -> Records) rethrows {
        try warmUp()
        let before = floor_resident_bytes()
        let records = try read()
        Swift.print(floor_resident_bytes() - before)
        withExtendedLifetime(records) {}
    }
}
