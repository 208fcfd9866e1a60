import Foundation
import LockstepStore
import SchematicCapture
import TestSupport
import Testing

@testable import LockstepMerge

@Suite("C1 to C3 Random edits on both sides")
struct RandomConflictTests {
    @Test(
        "C2 Seeded edits on both sides: both paths agree with a small reference implementation",
        arguments: Seeds.some(15, of: 1...40))
    func random(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let policy = random.element(of: [ConflictPolicy.localChangesWin, .serverWins, .newestWins(by: "updatedAt")])
        let stage = try ConflictStage(SchematicCaptureSchema.self, ConflictPolicies().using(policy, for: JobSheet.self))
        var device = Device(policy: policy.description)
        var server: [Int: Sheet] = [:]
        for _ in 0..<12 {
            for _ in 0..<Int.random(in: 0...6, using: &random) { Self.change(&server, &random) }
            for _ in 0..<Int.random(in: 0...6, using: &random) { try stage.edit(device.edit(&random)) }
            try await stage.merge(Self.payload(server, &random), into: JobSheet.self) { options in
                options.records = .all
                options.batchRecordLimit = random.element(of: [1, 2, .max])
            }
            device.merge(server)
            #expect(try stage.rows(Self.rows("job_sheet")) == Self.rows(device.local), "seed \(seed)")
            #expect(try stage.rows(Self.rows("lockstep_base_job_sheet")) == Self.rows(device.base), "seed \(seed)")
            let pending = device.pending.sorted { $0.key < $1.key }.map { "JobSheet \($0.key) \($0.value)" }
            #expect(try stage.pending() == pending, "seed \(seed)")
        }
    }

    private static func rows(_ table: String) -> String {
        "SELECT id, name, status, updated_at FROM \(table) ORDER BY id"
    }

    private static func rows(_ sheets: [Int: Sheet]) -> [String] {
        sheets.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.name) \($0.value.status) \($0.value.time).0" }
    }

    /// What the server does to its records.
    private static func change(_ server: inout [Int: Sheet], _ random: inout SeededRandom) {
        let id = Int.random(in: 1...8, using: &random)
        if random.isOne(in: 4) {
            server[id] = nil
        } else if var sheet = server[id] {
            sheet.change(&random)
            server[id] = sheet
        } else {
            server[id] = Sheet(&random)
        }
    }

    /// The records in any order, with their members in any order.
    private static func payload(_ server: [Int: Sheet], _ random: inout SeededRandom) -> String {
        let records = server.map { id, sheet in
            let date = Date(timeIntervalSince1970: Double(sheet.time)).formatted(.iso8601)
            let members = [
                "\"id\": \(id)", "\"name\": \"\(sheet.name)\"", "\"status\": \"\(sheet.status)\"",
                "\"updatedAt\": \"\(date)\"",
            ]
            return "{\(members.shuffled(using: &random).joined(separator: ", "))}"
        }
        return "[\(records.sorted().shuffled(using: &random).joined(separator: ", "))]"
    }
}

/// A record of the reference.
private struct Sheet: Equatable {
    var name: String
    var status: String
    var time: Int

    init(_ random: inout SeededRandom) {
        name = random.element(of: ["A", "B", "C"])
        status = random.element(of: ["open", "done", "late"])
        time = Int.random(in: 1...9, using: &random)
    }

    /// Changes one value, possibly to the same one.
    mutating func change(_ random: inout SeededRandom) {
        let other = Sheet(&random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: name = other.name
        case 1: status = other.status
        default: time = other.time
        }
    }
}

/// The rules of the outbox and of conflicts, with dictionaries.
private struct Device {
    let policy: String
    var local: [Int: Sheet] = [:]
    var base: [Int: Sheet] = [:]
    var pending: [Int: String] = [:]

    /// Random local changes, as SQL.
    mutating func edit(_ random: inout SeededRandom) -> String {
        let id = Int.random(in: 1...8, using: &random)
        guard let old = local[id] else { return insert(id, Sheet(&random)) }
        if random.isOne(in: 4) { return delete(id, old) }
        var new = old
        new.change(&random)
        local[id] = new
        if new != old, pending[id] == nil {
            pending[id] = "update"
            base[id] = old
        }
        return """
            UPDATE job_sheet SET name = '\(new.name)', status = '\(new.status)', updated_at = \(new.time) WHERE id = \(id)
            """
    }

    private mutating func insert(_ id: Int, _ sheet: Sheet) -> String {
        local[id] = sheet
        pending[id] = pending[id] == "delete" ? "update" : "create"
        return """
            INSERT INTO job_sheet (id, name, status, updated_at)
                VALUES (\(id), '\(sheet.name)', '\(sheet.status)', \(sheet.time))
            """
    }

    private mutating func delete(_ id: Int, _ old: Sheet) -> String {
        local[id] = nil
        if pending[id] == "create" {
            (pending[id], base[id]) = (nil, nil)
        } else {
            if pending[id] == nil { base[id] = old }
            pending[id] = "delete"
        }
        return "DELETE FROM job_sheet WHERE id = \(id)"
    }

    mutating func merge(_ server: [Int: Sheet]) {
        for (id, there) in server {
            if pending[id] == "delete" {
                base[id] = there
                continue
            }
            guard pending[id] != nil, let here = local[id] else {
                local[id] = there
                continue
            }
            let merged = merged(base[id], here, there)
            local[id] = merged
            (pending[id], base[id]) = merged == there ? (nil, nil) : ("update", there)
        }
        for id in local.keys where server[id] == nil {
            switch pending[id] {
            case nil: local[id] = nil
            case "update" where policy == "serverWins": (local[id], pending[id], base[id]) = (nil, nil, nil)
            // Its old values are kept.
            case "update": pending[id] = "create"
            default: break
            }
        }
    }

    private func merged(_ base: Sheet?, _ here: Sheet, _ there: Sheet) -> Sheet {
        let isHere =
            switch policy {
            case "serverWins": false
            case "localChangesWin": true
            default: here.time > there.time
            }
        var merged = there
        func take<Value: Equatable>(_ value: WritableKeyPath<Sheet, Value>) {
            let isChangedHere = base.map { $0[keyPath: value] != here[keyPath: value] } ?? true
            let isChangedThere = base.map { $0[keyPath: value] != there[keyPath: value] } ?? true
            if isChangedHere, !isChangedThere || isHere { merged[keyPath: value] = here[keyPath: value] }
        }
        take(\.name)
        take(\.status)
        take(\.time)
        return merged
    }
}
