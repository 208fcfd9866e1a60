#if canImport(SwiftUI) && canImport(WidgetKit)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI
    import WidgetKit

    // snippet
    nonisolated struct LatestTitle: TimelineEntry {
        let date = Date()
        let title: String?
    }

    nonisolated struct LatestTitleProvider: TimelineProvider {
        typealias Entry = LatestTitle  // not the model

        func placeholder(in context: Context) -> LatestTitle {
            LatestTitle(title: "A walk by the river")
        }

        func getSnapshot(in context: Context, completion: @escaping (LatestTitle) -> Void) {
            completion(LatestTitle(title: try? Self.latestTitle()))
        }

        func getTimeline(in context: Context, completion: @escaping (Timeline<LatestTitle>) -> Void) {
            // The app reloads the timelines.
            completion(Timeline(entries: [LatestTitle(title: try? Self.latestTitle())], policy: .never))
        }

        private static func latestTitle() throws -> String? {
            var configuration = Configuration()
            configuration.readonly = true  // never migrates the file, never waits for the app
            let store = try Store(JournalSchema.self, at: .journal(), configuration: configuration)
            defer { try? store.close() }
            return try store.writer.read { database in
                try String.fetchOne(database, Journal.Entry.order(\.timestamp.desc).select { $0.title })
            }
        }
    }

    struct LatestTitleWidget: Widget {
        var body: some WidgetConfiguration {
            StaticConfiguration(kind: "LatestTitle", provider: LatestTitleProvider()) { latest in
                Text(latest.title ?? "Nothing yet").containerBackground(for: .widget) { Color.accentColor }
            }
        }
    }
// end
#endif
