import Foundation
import LockstepStore
import LockstepSync
import ServerJournal
import TestSupport
import Testing

/// What the page uses of Supabase's package, as it is documented.
private struct Supabase: Sendable {
    struct Session: Sendable {
        struct User: Sendable { let id = UUID() }

        let user = User()
        let accessToken = "jwt"
    }

    struct Auth: Sendable {
        var session: Session { get async throws { Session() } }
    }

    struct Channel: Sendable {
        let callbacks = AsyncStream<@Sendable (AnyAction) -> Void>.makeStream()

        func onPostgresChange(
            _ action: AnyAction.Type, schema: String, table: String, callback: @escaping @Sendable (AnyAction) -> Void
        ) -> Int {
            callbacks.continuation.yield(callback)
            return 1
        }

        func subscribeWithError() async throws {
            for await callback in callbacks.stream.prefix(1) { callback(AnyAction()) }
        }
    }

    struct AnyAction: Sendable {}

    let auth: Auth = Auth()

    func channel(_ name: String) -> Channel { Channel() }
}

private typealias AnyAction = Supabase.AnyAction

/// The Swift of Supabase.md, compiled and run without a server.
@Suite("The Swift about Supabase")
@MainActor
struct SupabaseSnippets {
    @Test("A store of the user, its sync, and a channel that wakes it")
    func connection() async throws {
        let supabase = Supabase()
        let (projectURL, publishableKey) = (URL(string: "https://127.0.0.1:1")!, "sb_publishable_key")
        try await withTemporaryFolder { folder in
            let fileURL = folder.appendingPathComponent("journal.sqlite")
            // snippet
            let user = try await supabase.auth.session.user.id
            let store = try Store(JournalSchema.self, at: .file(fileURL), account: user.uuidString)
            // end

            // snippet
            let remote = SupabaseRemote(projectURL, key: publishableKey) { _ in
                try await supabase.auth.session.accessToken
            }
            let sync = Sync(store: store, remote: remote)
            let running = Task { try await sync.run() }
            // end

            // snippet
            let entry = Entry(author: user, title: "Monday", context: store.mainContext)
            try await store.mainContext.save()
            // end

            // snippet
            let channel = supabase.channel("entries")
            let subscription = channel.onPostgresChange(AnyAction.self, schema: "public", table: "entry") { _ in
                Task { await sync.wake() }
            }
            try await channel.subscribeWithError()
            // end
            running.cancel()
            _ = try? await running.value
            #expect(subscription == 1)
            #expect(try await store.outbox.count() == 1)
            #expect(entry.author == user)
        }
    }
}
