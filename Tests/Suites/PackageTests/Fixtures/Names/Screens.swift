import Combine
import Diary
import LockstepSync
import SwiftUI

/// The protocol declares a type alias `Context`.
struct PhotoView: UIViewRepresentable {
    let entry: Entry

    func makeUIView(context: Context) -> UIView { UIView() }

    func updateUIView(_ view: UIView, context: Context) { context.coordinator.show(entry.photo) }

    func makeCoordinator() -> Coordinator { Coordinator(page: 0) }

    final class Coordinator {
        var page: Int

        init(page: Int) { self.page = page }

        func show(_ photo: FileAttachment?) {}
    }
}

/// GRDB, which Lockstep exports, has a type `Configuration`.
struct MoodStyle: ButtonStyle {
    func makeBody(configuration: ButtonStyleConfiguration) -> some View { configuration.label }
}

struct EntryTable: View {
    let entries: [Entry]
    @State var title = ""

    var body: some View {
        Table(entries) {
            TableColumn("Title", value: \.title)
            TableColumn("Mood", value: \.mood.rawValue)
        }
    }
}

struct EntryList: View {
    let results: LiveResults<Entry, Unsectioned>

    var body: some View {
        List(results.items) { entry in Text(entry.title) }
    }
}

struct Latest: TimelineEntry {
    let date: Date
    let title: String
}

struct Provider: TimelineProvider {
    let store: Store

    func placeholder(in context: Context) -> Latest { Latest(date: Date(), title: context.isPreview ? "Monday" : "") }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Latest>) -> Void) {
        Task {
            let latest = try await store.representations(Diary.Entry.order(\.timestamp.desc).limit(1))
            completion(
                Timeline(entries: latest.map { Latest(date: $0.timestamp, title: $0.title) }, policy: Date() + 60))
        }
    }
}

@MainActor final class Journal: ObservableObject {
    @Published var page: Page<Entry>?
    private let store: Store
    private let sync: Sync
    private let saved = PassthroughSubject<Int, Never>()
    private var subscriptions: Set<AnyCancellable> = []

    init(at url: URL, remote: any Remote) throws {
        store = try Store(DiarySchema.self, at: .file(url))
        sync = Sync(store: store, remote: remote)
        saved.sink { print($0) }.cancel()
    }

    var context: ManagedObjectContext { store.mainContext }

    func next() throws {
        page = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50, after: page?.next)
    }

    func edit(_ body: (ManagedObjectContext) throws -> Void) async throws {
        try body(context)
        try await context.save()
        try await sync.push()
        let count = try await store.perform { (context: ManagedObjectContext) in try context.count(Entry.all()) }
        saved.send(count)
    }

    var status: SyncStatus { sync.currentStatus }
}

struct EntryLimits {
    var title: Limits
}
