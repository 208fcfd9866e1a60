import ComposableArchitecture
import Diary
import LockstepSync
import SwiftUI

/// A feature, as those who use the Composable Architecture write it.
struct EntriesFeature: Reducer {
    struct State {
        var entries: [EntryRepresentation] = []
    }

    enum Action {
        case loaded([EntryRepresentation])
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
        if case .loaded(let entries) = action { state.entries = entries }
        return .none
    }
}

struct EntriesView: View {
    let store: StoreOf<EntriesFeature>

    var body: some View { Text("\(store.entries.count)") }
}

@MainActor func preview() throws -> EntriesView {
    _ = try Store(DiarySchema.self, at: .inMemory)
    return EntriesView(store: Store(initialState: EntriesFeature.State()) { EntriesFeature() })
}

struct DiaryClient: Sendable {
    var entries: @Sendable () async throws -> [EntryRepresentation]

    static func live(_ url: URL, remote: any Remote) throws -> DiaryClient {
        let store = try Store(DiarySchema.self, at: .file(url))
        let sync = Sync(store: store, remote: remote)
        return DiaryClient {
            try await sync.pull()
            return try await store.representations(Entry.order(\.timestamp.desc))
        }
    }
}
