#if canImport(SwiftUI) && os(iOS)
    import BackgroundTasks
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI
    import WidgetKit

    // snippet
    nonisolated extension Session {
        static let refreshID = "com.example.journal.refresh"  // also in the Info.plist

        /// Requests a refresh.
        static func scheduleRefresh() {
            let request = BGAppRefreshTaskRequest(identifier: refreshID)
            request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
            try? BGTaskScheduler.shared.submit(request)
        }

        /// Sends and fetches once. When the time is over, the system cancels it, and nothing is lost.
        func refresh() async {
            _ = try? await sync.push()
            _ = try? await sync.pull()
            WidgetCenter.shared.reloadAllTimelines()
        }
    }

    extension Scene {
        func refreshing(_ session: Result<Session, any Error>, in phase: ScenePhase) -> some Scene {
            onChange(of: phase) { _, phase in
                if phase == .background { Session.scheduleRefresh() }
            }
            .backgroundTask(.appRefresh(Session.refreshID)) {
                Session.scheduleRefresh()
                try? await session.get().refresh()
            }
        }
    }
    // end

    enum WithRefresh {
        // snippet
        struct JournalApp: App {
            private let session = Result { try Session() }
            @Environment(\.scenePhase) private var phase

            var body: some Scene {
                WindowGroup { JournalWindow(session: session) }
                    .refreshing(session, in: phase)
            }
        }
        // end
    }
#endif
