#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    /// What the app opens once.
    struct Session {
        let store: Store
        let sync: Sync

        init() throws {
            let folder = try FileManager.default.url(
                for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
            let client = AuthorizedClient(URLSessionClient(), token: { _ in try Keychain.token() })
            store = try Store(JournalSchema.self, at: .file(folder.appendingPathComponent("journal.sqlite")))
            sync = Sync(store: store, remote: RESTRemote(Session.url, client: client))
        }
    }

    @main
    struct JournalApp: App {
        private let session = Result { try Session() }
        @State private var signInCount = 0

        var body: some Scene {
            WindowGroup {
                switch session {
                case .success(let session):
                    EntryList()
                        .safeAreaInset(edge: .bottom) { SyncBar { signInCount += 1 } }
                        .store(session.store)
                        .sync(session.sync)
                        .task(id: signInCount) { try? await session.sync.run() }  // SyncBar says why it has ended
                case .failure(let error):
                    ContentUnavailableView(
                        "The journal cannot be opened.", systemImage: "book.closed",
                        description: Text(error.localizedDescription))
                }
            }
        }
    }
    // end

    extension Session {
        static let url = SchemaLiteral.url("https://journal.example.com/api")
    }

    nonisolated enum Keychain {
        static func token() throws -> String? { nil }
    }
#endif
