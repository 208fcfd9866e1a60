import LockstepStore
import Museum
import Testing
import TestSupport

@testable import LockstepMerge
@testable import LockstepStore

@Suite("The order in which records are looked up and written")
struct KeyOrderTests {
    /// Merges five tickets into a table with two of them, which are listed in an order other than that of their keys.
    private func seatsInOrder(_ change: (inout MergeOptions) -> Void) async throws -> [String] {
        let store = try Store(MuseumSchema.self, at: .inMemory)
        var options = MergeOptions()
        change(&options)
        let tickets = { (numbers: [Int]) in
            numbers.map { #"{"id": "\#(uuid($0))", "holder": "Ann", "seat": "\#($0)"}"# }.joined(separator: ",")
        }
        try await store.merge("[\(tickets([9, 4]))]", into: Ticket.self)
        let summary = try await store.merge("[\(tickets([7, 9, 2, 5, 4, 1, 8]))]", into: Ticket.self, options: options)
        #expect((summary.inserted, summary.unchanged) == (5, 2))
        return try await store.writer.read { try $0.texts("SELECT seat FROM ticket ORDER BY rowid") }
    }

    @Test("New records of a large table are written in the order of their keys")
    func largeTable() async throws {
        let seats = try await seatsInOrder { $0.keyOrderRowLimit = 1 }
        #expect(seats == ["9", "4", "1", "2", "5", "7", "8"])
    }

    @Test("Those of a small table are written as the payload lists them")
    func smallTable() async throws {
        let limited = try await seatsInOrder { $0.keyOrderRowLimit = 2 }
        let usual = try await seatsInOrder { _ in }
        #expect(limited == ["9", "4", "7", "2", "5", "1", "8"])
        #expect(usual == limited)
    }

    @Test("The prefix of a value is in the order of the values", arguments: Array(0..<20) as [UInt64])
    func prefix(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let numbers = [.min, -1, 0, 1, .max] + (0..<20).map { _ in Int64.random(in: -1_000...1_000, using: &random) }
        expectOrder(of: numbers.sorted().map { Cell(integer: $0) })
        let reals =
            [-.infinity, -1e300, -1, -0.0, 0, 5e-324, 1, .infinity]
            + (0..<20).map { _ in Double.random(in: -10...10, using: &random) }
        expectOrder(of: reals.sorted().map { Cell(real: $0) })
        let texts = (0..<40).map { _ in
            (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let arena = texts.sorted { $0.lexicographicallyPrecedes($1) }.map { bytes in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            return copy
        }
        defer { for copy in arena { copy.deallocate() } }
        expectOrder(of: arena.map { Cell(text: UnsafeBufferPointer($0)) })
        expectOrder(of: arena.map { Cell(blob: UnsafeBufferPointer($0)) })
    }

    private func expectOrder(of cells: [Cell]) {
        for (cell, next) in zip(cells, cells.dropFirst()) {
            #expect(cell.order(against: next) <= 0)
            #expect(cell.orderPrefix <= next.orderPrefix)
        }
    }
}
