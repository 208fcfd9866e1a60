import Foundation
import GRDB
import LockstepStore
import LockstepSystem
import Shop
import TestSupport
import Testing

@testable import LockstepMerge
@testable import LockstepSync

@Suite("Sources of a merge")
struct MergeSourcesTests {
    @Test("M11 Data, a string, a file, pieces and single bytes result in the same rows")
    func sameRows() async throws {
        try await withTemporaryFolder { folder in
            let json = products(1_000)
            let file = folder.appendingPathComponent("products.json")
            try Data(json.utf8).write(to: file)
            let data = try await rows { try await $0.merge(Data(json.utf8), into: Product.self) }
            #expect(data.count == 1_000)
            #expect(try await rows { try await $0.merge(json, into: Product.self) } == data)
            #expect(try await rows { try await $0.merge(contentsOf: file, into: Product.self) } == data)
            #expect(try await rows { try await $0.merge(pieces: pieces(of: json), into: Product.self) } == data)
            #expect(
                try await rows {
                    try await $0.merge(pieces: pieces(of: json).map { Array($0) }, into: Product.self)
                } == data)
            let bytes = AsyncStream<UInt8> { continuation in
                for byte in json.utf8 { continuation.yield(byte) }
                continuation.finish()
            }
            #expect(try await rows { try await $0.merge(pieces: bytes, into: Product.self) } == data)
        }
    }

    @Test("A file is read in windows, and no record keeps references to them", arguments: [700, 4_096, 20_000])
    func windows(size: Int) async throws {
        try await withTemporaryFolder { folder in
            let json = products(1_000)
            let file = folder.appendingPathComponent("products.json")
            try Data(json.utf8).write(to: file)
            let whole = try await rows { try await $0.merge(json, into: Product.self) }
            let windowed = try await rows { store in
                try await store.merging(Product.self, scope: .all, options: MergeOptions()) { run, cancellation in
                    let watch = PayloadWatch(cancellation)
                    let body = PayloadBody.file(try OpenFile(reading: file))
                    _ = try body.read(
                        .records, windowSize: size, into: PayloadIntake(run, watch: watch), watch: watch)
                }
            }
            #expect(windowed == whole)
        }
    }

    @Test("Records under a key, and a map with gaps, whose keys are the identities")
    func shapes() async throws {
        var options = MergeOptions()
        options.payload = .wrapped(key: "products")
        let whole = try await rows { try await $0.merge(products(20), into: Product.self) }
        let wrapped = #"{"page": 1, "products": \#(products(20))}"#
        let fromOne = try await rows { [options] in try await $0.merge(wrapped, into: Product.self, options: options) }
        #expect(fromOne == whole)
        // N7 The last of duplicate keys counts.
        let twice = #"{"products": \#(products(90)), "products": \#(products(20))}"#
        let fromTwo = try await rows { [options] in try await $0.merge(twice, into: Product.self, options: options) }
        #expect(fromTwo == whole)

        options.payload = .map
        let map = try await rows { [options] in
            try await $0.merge(
                #"{"3": {"name": "c"}, "4": null, "7": {"name": "g"}}"#, into: Product.self, options: options)
        }
        #expect(map.map { $0.prefix(12) }.joined().contains("id:3"))
        let holes = #"[null, null, null, {"name": "c"}, null, null, null, {"name": "g"}]"#
        #expect(map.count == 2)
        let fromThree = try await rows { [options] in try await $0.merge(holes, into: Product.self, options: options) }
        #expect(fromThree == map)
    }

    @Test("M7.2 A truncated body, from any source, changes nothing")
    func truncated() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store(ShopSchema.self, at: .inMemory)
            try await store.merge(products(10), into: Product.self)
            let before = try await rows(of: store)
            let json = String(products(500).dropLast(20))
            let count = json.utf8.count
            let file = folder.appendingPathComponent("products.json")
            try Data(json.utf8).write(to: file)
            let options = MergeOptions(records: .all)
            let merges: [() async throws -> MergeSummary] = [
                { try await store.merge(json, into: Product.self, options: options) },
                { try await store.merge(Data(json.utf8), into: Product.self, options: options) },
                { try await store.merge(contentsOf: file, into: Product.self, options: options) },
                { try await store.merge(pieces: pieces(of: json), into: Product.self, options: options) },
            ]
            for merge in merges {
                let error = try await #require(throws: MergeError.self) { try await merge() }
                #expect(error.code == .notJSON(offset: count))
                #expect(try await rows(of: store) == before)
            }
        }
    }

    @Test("M7 A body that is not a payload changes nothing, and is reported by its code")
    func refused() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let empty = try await #require(throws: MergeError.self) { try await store.merge("", into: Product.self) }
        #expect(empty.code == .notJSON(offset: 0))
        let shape = try await #require(throws: MergeError.self) { try await store.merge(" 7", into: Product.self) }
        #expect(shape.code == .wrongShape)
        #expect(shape.entity == "Product")
        let nowhere = URL(fileURLWithPath: "/nowhere/at/all.json")
        let file = try await #require(throws: MergeError.self) {
            try await store.merge(contentsOf: nowhere, into: Product.self)
        }
        #expect(file.code == .unreadablePayload)
        #expect(file.description.contains("/nowhere/at/all.json cannot be read: No such file or directory"))
    }

    @Test("A lost connection is reported as the original error, and changes nothing")
    func connectionLost() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        continuation.yield(Data(products(10).utf8))
        continuation.finish(throwing: URLError(.networkConnectionLost))
        await #expect(throws: URLError.self) { try await store.merge(pieces: stream, into: Product.self) }
        #expect(try await rows(of: store).isEmpty)
    }

    // MARK: Helpers

    private func rows(after merge: (Store) async throws -> MergeSummary) async throws -> [String] {
        let store = try Store(ShopSchema.self, at: .inMemory)
        _ = try await merge(store)
        return try await rows(of: store)
    }

    private func rows(of store: Store) async throws -> [String] {
        try await store.writer.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM product ORDER BY id").map(\.description)
        }
    }
}

/// A list of products.
func products(_ count: Int) -> String {
    "["
        + (0..<count).map {
            #"{"id": \#($0), "name": "Nom\u00e9ro \#($0) “ä”", "price": "\#($0).50", "stock": "\#($0)", "brand": {"url": "http://a/\#($0)"}}"#
        }.joined(separator: ",\n") + "]"
}

/// The bytes of a text in pieces of 1,000, which end anywhere.
func pieces(of text: String) -> AsyncStream<Data> {
    let data = Data(text.utf8)
    return AsyncStream { continuation in
        for first in stride(from: 0, to: data.count, by: 1_000) {
            continuation.yield(data[first..<min(data.count, first + 1_000)])
        }
        continuation.finish()
    }
}
