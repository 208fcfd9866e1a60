import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepSystem
import Shop
import TestSupport
import Testing

@Suite("A long merge")
struct LongMergeTests {
    /// Stops a merge when it reports progress, until it is released.
    private final class Checkpoint: Sendable {
        private let letGo = DispatchSemaphore(value: 0)
        private let reached: AsyncStream<MergeProgress>
        private let continuation: AsyncStream<MergeProgress>.Continuation
        private let isFirst = Locked(true)

        init() { (reached, continuation) = AsyncStream.makeStream() }

        /// For the merge, on the database's thread.
        func pass(_ progress: MergeProgress) {
            guard
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }; return isFirst
                })
            else { return }
            continuation.yield(progress)
            letGo.wait()
        }

        /// For the test.
        func waitUntilReached() async -> MergeProgress? {
            for await progress in reached { return progress }
            return nil
        }

        func open() { letGo.signal() }
    }

    @Test("100,000 rows block neither readers nor the main actor, which see the state before or after the merge")
    func readersGoOn() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store(ShopSchema.self, at: .file(folder.appendingPathComponent("shop.sqlite")))
            try await store.merge(products(10), into: Product.self)
            let checkpoint = Checkpoint()
            var options = MergeOptions()
            options.progress = { checkpoint.pass($0) }
            let merge = Task { [options] in
                try await store.merge(products(100_000), into: Product.self, options: options)
            }
            let progress = try #require(await checkpoint.waitUntilReached())
            #expect(progress.stage == .reading)
            #expect(progress.recordsRead == 10_000)

            // The merge is in the middle of its transaction.
            #expect(try await store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") } == 10)
            #expect(try await store.perform { try $0.fetch(Product.order(\.id)).map(\.id) } == Array(0..<10))
            let seen = try await MainActor.run { try store.mainContext.fetch(Product.order(\.id)).count }
            #expect(seen == 10)

            checkpoint.open()
            let summary = try await merge.value
            #expect(summary[Product.self].inserted == 99_990)
            #expect(summary[Product.self].unchanged == 10)
            #expect(
                try await store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") } == 100_000)
        }
    }

    @Test("Cancelling during a merge rolls it back and leaves the store unchanged and usable")
    func cancelled() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store(ShopSchema.self, at: .file(folder.appendingPathComponent("shop.sqlite")))
            try await store.merge(products(10), into: Product.self)
            let checkpoint = Checkpoint()
            let last = Locked<MergeProgress?>(nil)
            var options = MergeOptions()
            options.progress = { progress in
                checkpoint.pass(progress)
                last.withLock { $0 = progress }
            }
            let merge = Task { [options] in
                try await store.merge(products(40_000), into: Product.self, options: options)
            }
            _ = await checkpoint.waitUntilReached()
            merge.cancel()
            checkpoint.open()
            await #expect(throws: CancellationError.self) { try await merge.value }
            // Not one more record was read, and no completion was reported.
            #expect(last.withLock { $0?.recordsRead } == 10_000)
            #expect(try await store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") } == 10)
            let summary = try await store.merge(products(20), into: Product.self)
            #expect(summary[Product.self].inserted == 10)
        }
    }

    @Test("A task cancelled before it merges writes nothing")
    func cancelledBefore() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let merge = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.merge(products(10), into: Product.self)
        }
        await #expect(throws: CancellationError.self) { try await merge.value }
        #expect(try await store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") } == 0)
    }

    @Test("Progress increases, and the last report says that the merge is complete, once the rows are stored")
    func progress() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let reports = Locked<[MergeProgress]>([])
        var options = MergeOptions()
        options.progress = { report in reports.withLock { $0.append(report) } }
        let json = products(25_000)
        try await store.merge(pieces: pieces(of: json), into: Product.self, options: options)
        let told = reports.withLock { $0 }
        #expect(told.map(\.stage) == [.reading, .reading, .merging, .complete])
        #expect(told.map(\.recordsRead) == [10_000, 20_000, 25_000, 25_000])
        #expect(told.map(\.bytesRead) == told.map(\.bytesRead).sorted())
        #expect(told.last?.bytesRead == json.utf8.count)
        #expect(told.last?.recordsMerged == 25_000)
        #expect(told.allSatisfy { $0.byteCount == json.utf8.count })
    }
}
