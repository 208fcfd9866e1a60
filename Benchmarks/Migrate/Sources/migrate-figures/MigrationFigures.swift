import CMigrateFloor
import Contests
import Figures
import Foundation
import LockstepStore

/// A store of the first version is opened with the schema of a later one. The floor runs the same statements.
struct MigrationFigures {
    let workplace: Workplace
    let rounds: Int
    /// For what writes every row.
    let longRounds: Int

    static let rows = ["unchanged", "instant", "fill", "convert", "rebuild", "ten"]

    func print(_ row: String) async throws {
        switch row {
        case "unchanged": try await printUnchanged()
        case "instant":
            try await print("a column more, one with a default, one renamed", .instant, .migrateInstantly, rounds)
        case "fill": try await print("an optional column is required", .fill, .migrateColumn, longRounds)
        case "convert": try await print("text to decimals, in place", .convert, nil, longRounds)
        case "rebuild": try await print("two columns", .rebuild, .migrateTable, longRounds)
        case "ten": try await print("ten versions, a column each", .ten, .migrateTen, longRounds)
        default: fatalError("no row '\(row)'")
        }
    }

    // MARK: Opening

    private func printUnchanged() async throws {
        let ours = try workplace.copy("ours")
        let floors = try workplace.copy("floor")
        try await Contest(
            "open, nothing changed", budget: nil, lockstep: { try open(ours, .first).time },
            floor: {
                var database: OpaquePointer?
                let time = timed { database = migrate_floor_open(floors.path) }
                migrate_floor_close(database)
                return time
            }, others: [nil]
        ).print(rounds: rounds * 4)
    }

    private func open(_ url: URL, _ version: Version) throws -> (time: Time, migration: StoreMigration?) {
        func open(_ schema: (some StoreSchema).Type) throws -> (time: Time, migration: StoreMigration?) {
            var opened: Store?
            let time = try timed { opened = try Store(schema, at: .file(url)) }
            let migration = opened?.migration
            try opened?.close()
            return (time, migration)
        }
        return try open(version.schema)
    }

    // MARK: Migrating

    private func print(_ title: String, _ version: Version, _ budget: Budget?, _ rounds: Int) async throws {
        let statements = try statements(of: version)
        let copies = try isCopied(version)
        try await Contest(
            title, limit: 1.2, budget: budget,
            lockstep: {
                let url = try workplace.copy("ours")
                let (time, migration) = try open(url, version)
                let rows = version.writes * workplace.count
                guard migration?.rowsWritten == rows else {
                    fatalError("\(title): \(migration as Any), not \(rows) rows")
                }
                return time
            }, floor: { try floor(statements, "floor", copies: false) },
            others: [copies ? .init { try floor(statements, "copied", copies: true) } : nil]
        ).print(rounds: rounds)
        workplace.expectSame(workplace.url("ours"), workplace.url("floor"))
        for name in ["ours", "floor", "copied"] { workplace.remove(name) }
    }

    private func floor(_ statements: String, _ name: String, copies: Bool) throws -> Time {
        let url = try workplace.copy(name)
        var database: OpaquePointer?
        let time = timed {
            if copies { migrate_floor_copy(url.path, url.path + ".copy") }
            database = migrate_floor_run(url.path, statements)
        }
        migrate_floor_close(database)
        return time
    }

    /// Those of the version, with the triggers of a new store of it.
    private func statements(of version: Version) throws -> String {
        guard version.hasTriggers else { return version.statements }
        workplace.remove("new")
        _ = try open(workplace.url("new"), version)
        defer { workplace.remove("new") }
        return text(migrate_floor_trigger_drops(workplace.first.path)) + version.statements
            + text(migrate_floor_triggers(workplace.url("new").path))
    }

    private func text(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text else { return "" }
        defer { free(text) }
        return String(cString: text)
    }

    /// Whether the store copies the file before it migrates it to a version, because values change.
    private func isCopied(_ version: Version) throws -> Bool {
        if version.writes == 0 { return false }
        let (_, migration) = try open(workplace.copy("ours"), version)
        return migration?.copy != nil
    }
}
