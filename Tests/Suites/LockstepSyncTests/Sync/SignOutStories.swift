import Foundation
import Journal
import LockstepStore
import LockstepTesting
import SchematicCapture
import TestSupport
import Testing

@testable import LockstepSync

/// Leaving an account.
@Suite("Signing out")
struct SignOutStories {
    private let clock = ManualClock()
    private let remote = MemoryRemote(traits: RemoteTraits())

    private func sync(_ store: Store) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private func make(_ store: Store, _ title: String) async throws {
        try await store.perform { context in
            Entry(title: title, context: context)
            try context.save()
        }
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test("Without pending changes, each run ends, and nothing is left; another account can use the place")
    func nothingPending() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(file), account: "ann")
            let sync = sync(store)
            // Another sync of the store ends, too.
            let runs = [sync, self.sync(store)].map { sync in _Concurrency.Task { try await sync.run() } }
            try await make(store, "mine")
            #expect(try await soon { try await store.outbox.pending().isEmpty })
            try await clock.waitForSleepers(2)
            try await sync.signOut()
            for run in runs { try await run.value }
            #expect(try names(folder).isEmpty)
            let error = await #expect(throws: SyncError.self) { try await sync.push() }
            #expect(error?.code == .signedOut)
            let saving = await #expect(throws: StoreError.self) { try await make(store, "too late") }
            #expect(saving?.code == .closed)
            let next = try Store(JournalSchema.self, at: .file(file), account: "ben")
            try await self.sync(next).pull()
            #expect(try await next.perform { try $0.count(Entry.all()) } == 1)
            try next.close()
        }
    }

    @Test("With pending changes, it fails, and everything is as before")
    func refuse() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        try await make(store, "mine")
        let error = await #expect(throws: SyncError.self) { try await sync.signOut() }
        #expect(error?.code == .pendingChanges(count: 1))
        try await make(store, "another")
        #expect(try await sync.push().created == 2)
        try await sync.signOut()
    }

    @Test("Pending changes are sent first; those that cannot be sent stay")
    func push() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        try await make(store, "mine")
        try await make(store, "rejected")
        remote.respondNext(.refused(status: 422), to: .changes)
        let error = await #expect(throws: SyncError.self) { try await sync.signOut(pending: .push) }
        #expect(error?.code == .pendingChanges(count: 1))
        #expect(remote.records(of: "/entries").count == 1)
        #expect(try await store.outbox.pending().map(\.parked?.status) == [422])
        remote.respondNext(.connectionFails, to: .changes)
        try await store.outbox.retryAll()
        await #expect(throws: SyncError.self) { try await sync.signOut(pending: .push) }
        clock.advance(by: 600)
        try await sync.signOut(pending: .push)
        #expect(remote.records(of: "/entries").count == 2)
    }

    @Test("A leftover of an earlier version of the schema, a parked change and all others are lost if the app says so")
    func discard() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(file))
            let sync = sync(store)
            try await make(store, "rejected")
            remote.respondNext(.refused(status: 422), to: .changes)
            try await sync.push()
            try await make(store, "mine")
            try await store.writer.write { database in
                try database.execute(
                    sql: "INSERT INTO lockstep_leftover VALUES (1, 'Entry', '1', 'mood', '\"sad\"', 1, 0, NULL)")
            }
            let error = await #expect(throws: SyncError.self) { try await sync.signOut() }
            #expect(error?.code == .pendingChanges(count: 3))
            try await sync.signOut(pending: .discard)
            #expect(try names(folder).isEmpty && remote.records(of: "/entries").isEmpty)
        }
    }

    @Test("If another process has the store open, nothing is deleted")
    func openElsewhere() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(file))
            let other = try Store(JournalSchema.self, at: .file(file))
            try await make(store, "mine")
            let error = await #expect(throws: StoreError.self) {
                try await sync(store).signOut(pending: .discard)
            }
            #expect(error?.code == .busy)
            #expect(try await other.perform { try $0.count(Entry.all()) } == 1)
            try other.close()
            try Store.wipe(at: file)
            #expect(try names(folder).isEmpty)
        }
    }

    @Test("What an extension has saved is sent")
    func extensionSaves() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(file))
            let sync = sync(store)
            let run = _Concurrency.Task {
                try await sync.run(RunOptions(pollSeconds: 3_600, otherProcessesSeconds: 2))
            }
            try await clock.waitForSleepers(2)
            let other = try Store(JournalSchema.self, at: .file(file))
            try await make(other, "theirs")
            try other.close()
            clock.advance(by: 2)
            #expect(try await soon { !remote.records(of: "/entries").isEmpty })
            #expect(remote.records(of: "/entries").map { $0["title"] } == ["theirs"])
            run.cancel()
            try await run.value
            try store.close()
        }
    }

    @Test("A run that is still in its first push ends, after the response to that")
    func firstPush() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(file))
            let sync = sync(store)
            try await make(store, "mine")
            let gate = Gate()
            remote.respondNext(.held(gate), to: .changes)
            let run = _Concurrency.Task { try await sync.run() }
            try await gate.reached()
            let signOut = _Concurrency.Task { try await sync.signOut() }
            gate.open()
            // The change was sent, so nothing is pending.
            try await signOut.value
            try await run.value
            #expect(try names(folder).isEmpty && remote.records(of: "/entries").count == 1)
        }
    }

    @Test("If it is cancelled while another operation runs, everything is as before")
    func cancelled() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store)
        try await make(store, "mine")
        let gate = Gate()
        remote.respondNext(.held(gate), to: .changes)
        let push = _Concurrency.Task { try await sync.push() }
        try await gate.reached()
        let signOut = _Concurrency.Task { try await sync.signOut(pending: .discard) }
        signOut.cancel()
        await #expect(throws: CancellationError.self) { try await signOut.value }
        gate.open()
        #expect(try await push.value.created == 1)
        try await make(store, "another")
        #expect(try await sync.push().created == 1)
        try await sync.signOut()
    }

    @Test("A download of the app that is on its way leaves nothing behind")
    func download() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "capture.sqlite")
            let store = try Store(SchematicCaptureSchema.self, at: .file(file))
            let bytes = Data(repeating: 7, count: 10_000)
            let attachment = try await store.mergePhoto(of: bytes)
            let server = HeldFiles(bytes: bytes)
            let transfer = AttachmentTransfer(store: store, remote: server, clock: clock)
            let download = _Concurrency.Task {
                try await transfer.download(attachment)
            }
            try await server.gate.reached()
            try await sync(store).signOut()
            server.gate.open()
            await #expect(throws: StoreError.self) { try await download.value }
            let error = await #expect(throws: StoreError.self) {
                try await transfer.download(attachment)
            }
            #expect(error?.code == .closed)
            #expect(try names(folder).isEmpty)
        }
    }

    /// A file server whose response waits at a gate.
    private struct HeldFiles: AttachmentRemote {
        let name = "held"
        let bytes: Data
        let gate = Gate()

        func upload(_ attachment: FileAttachment) async throws {}

        func download(_ attachment: FileAttachment, from offset: Int) async throws -> AttachmentBody {
            try await gate.pass()
            return AttachmentBody(.data(bytes))
        }
    }
}
