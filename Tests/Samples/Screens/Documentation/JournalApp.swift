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
            let client = AuthorizedClient(URLSessionClient(), token: { _ in try Keychain.token() })
            store = try Store(JournalSchema.self, at: .journal())
            sync = Sync(store: store, remote: RESTRemote(Session.url, client: client))
        }
    }

    @main
    struct JournalApp: App {
        private let session = Result { try Session() }

        var body: some Scene {
            WindowGroup { JournalWindow(session: session) }
        }
    }

    struct JournalWindow: View {
        let session: Result<Session, any Error>
        @State private var signInCount = 0

        var body: some View {
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
    // end

    // snippet
    nonisolated extension StoreLocation {
        /// The file of the app and its widget, in the folder of their app group.
        static func journal() throws -> StoreLocation {
            let group = "group.com.example.journal"  // also in the entitlements of both
            guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
                throw CocoaError(.fileNoSuchFile)
            }
            return .file(folder.appendingPathComponent("journal.sqlite"))
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
