import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import RuntimeTestSupport
import Testing
import TestSupport

/// The lists of a batch are compared with one scan of their links. Merged alone, each is compared by a query.
@Suite("Many lists are merged as each alone would be")
struct ScannedListsTests {
    private let together: OutboxStage
    private let alone: OutboxStage

    init() throws {
        together = try OutboxStage(MuseumSchema.self)
        alone = try OutboxStage(MuseumSchema.self)
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
        for stage in [together, alone] {
            try stage.seed("\(numbers) INSERT INTO guard (id, name) SELECT 'g' || i, 'Ann' FROM n")
            try stage.seed("\(numbers) INSERT INTO exhibit (id, title) SELECT i, 'Vase' FROM n")
            try stage.seed("\(numbers) INSERT INTO loan (local_id, remote_id, title) SELECT 'x' || i, i, 'Cup' FROM n")
        }
    }

    /// A room with lists of each kind: links in both directions, with and without an order, and embedded records.
    private func room(_ number: Int, _ random: inout SeededRandom) -> String {
        func some(_ count: Int) -> [Int] {
            let count = Int.random(in: 0...count, using: &random)
            return Array((1...40).shuffled(using: &random).prefix(count))
        }
        let guards = some(4).map { #""g\#($0)""# }.joined(separator: ",")
        let exhibits = some(3).map(String.init).joined(separator: ",")
        let loans = some(3).map(String.init).joined(separator: ",")
        let cameras = (0..<3).filter { _ in Bool.random(using: &random) }
            .map { #"{"id": \#(number * 10 + $0), "model": "M"}"# }
        let benches = (0..<3).shuffled(using: &random).prefix(2).map { #"{"id": \#(number * 10 + $0), "seats": 2}"# }
        return """
            {"id": \(number), "name": "Hall", "guard_ids": [\(guards)], "exhibit_ids": [\(exhibits)], "loan_ids": [\(loans)], \
            "cameras": [\(cameras.joined(separator: ","))], "benches": [\(benches.joined(separator: ","))]}
            """
    }

    @discardableResult
    private func merge(_ rooms: [String], into stage: OutboxStage) async throws -> MergeSummary {
        try await stage.store.merge(Data("[\(rooms.joined(separator: ","))]".utf8), into: Room.self)
    }

    /// Every link, with its position.
    private func links(_ stage: OutboxStage) throws -> [[String]] {
        try ["room_guard", "exhibit", "loan", "camera", "bench"].map { table in
            try stage.rows("SELECT * FROM \(table) ORDER BY 1, 2, 3")
        }
    }

    @Test("New, unchanged and changed lists, with and without an order", arguments: Seeds.some(2, of: UInt64(1)...40))
    func random(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var rooms = (1...60).map { room($0, &random) }
        for round in 0..<4 {
            try await merge(rooms, into: together)
            for room in rooms { try await merge([room], into: alone) }
            #expect(try links(together) == links(alone), "round \(round)")
            let again = try await merge(rooms, into: together)
            #expect(!again.hasChanges, "round \(round): \(again)")
            // From the third round on, there are local changes, which merges have to look at.
            if round == 1 {
                for stage in [together, alone] { try stage.run("UPDATE exhibit SET title = 'Bowl' WHERE id < 9") }
            }
            for _ in 0..<15 {
                let number = Int.random(in: 1...60, using: &random)
                rooms[number - 1] = room(number, &random)
            }
        }
    }

    @Test("Lists of records that are all unchanged lose members, in few rooms or in many", arguments: [1, 5, 60])
    func losses(_ count: Int) async throws {
        var random = SeededRandom(seed: 7)
        var cameras = (1...60).map { room in (0..<4).map { room * 10 + $0 } }
        func rooms() -> [String] {
            cameras.enumerated().map { index, cameras in
                let list = cameras.map { #"{"id": \#($0), "model": "M"}"# }.joined(separator: ",")
                let benches = cameras.map { #"{"id": \#($0), "seats": 2}"# }.joined(separator: ",")
                return #"{"id": \#(index + 1), "name": "Hall", "cameras": [\#(list)], "benches": [\#(benches)]}"#
            }
        }
        // It is not in the payload, so it keeps what it has.
        for stage in [together, alone] {
            try await merge([#"{"id": 99, "name": "Attic", "cameras": [{"id": 1, "model": "M"}]}"#], into: stage)
        }
        for round in 0..<3 {
            if round > 0 {
                for index in cameras.indices.shuffled(using: &random).prefix(count) where !cameras[index].isEmpty {
                    // In many rooms, more than `OtherOwners.recordLimit`.
                    cameras[index].removeLast(2)
                }
            }
            let rooms = rooms()
            try await merge(rooms, into: together)
            for room in rooms { try await merge([room], into: alone) }
            #expect(try links(together) == links(alone), "round \(round)")
            let stored = try together.rows("SELECT count(*) FROM camera UNION ALL SELECT count(room_id) FROM bench")
            let expected = cameras.reduce(0) { $0 + $1.count }
            #expect(stored == ["\(expected + 1)", "\(expected)"], "round \(round)")
        }
    }

    @Test("M15 If all embedded records are unchanged, their lists are not read")
    func unread() async throws {
        var random = SeededRandom(seed: 2)
        let rooms = (1...60).map { room($0, &random) }
        try await merge(rooms, into: together)
        let scans = try await queries(of: "\"camera\"") { try await merge(rooms, into: together) }
        // The others ask for the size of the table.
        #expect(scans.count { $0.contains("room_id") } == 1, "\(scans)")
    }

    @Test("A batch asks once for the members of all its lists, and a few lists ask for their own")
    func countsQueries() async throws {
        var random = SeededRandom(seed: 1)
        let rooms = (1...60).map { room($0, &random) }
        try await merge(rooms, into: together)
        let ofMany = try await queries(of: "room_guard") { try await merge(rooms, into: together) }
        #expect(ofMany.count == 2, "\(ofMany)")
        let ofFew = try await queries(of: "room_guard") { try await merge(Array(rooms[..<5]), into: together) }
        #expect(ofFew.count == 5, "\(ofFew)")
    }

    /// The queries of a table that `body` runs.
    private func queries(of table: String, _ body: () async throws -> Void) async throws -> [String] {
        let queries = Locked<[String]>([])
        try await together.store.writer.write { database in
            database.trace { event in
                let sql = "\(event)"
                if sql.hasPrefix("SELECT"), sql.contains(table) { queries.withLock { $0.append(sql) } }
            }
        }
        try await body()
        try await together.store.writer.write { $0.trace(options: []) }
        return queries.withLock { $0 }
    }
}
