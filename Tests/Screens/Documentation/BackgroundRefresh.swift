#if canImport(SwiftUI) && os(iOS)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI
    import BackgroundTasks
    import WidgetKit

    // snippet
    extension Session {
        static let refreshID = "com.example.journal.refresh"  // also in the Info.plist

        /// Requests a refresh. Call it when the app goes to the background.
        static func scheduleRefresh() {
            let request = BGAppRefreshTaskRequest(identifier: refreshID)
            request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
            try? BGTaskScheduler.shared.submit(request)
        }

        /// Sends and fetches once. When the time is over, the system cancels it, and nothing is lost.
        nonisolated func refresh() async {
            try? await sync.push()
            try? await sync.pull()
            WidgetCenter.shared.reloadAllTimelines()
        }
    }

    extension Scene {
        func refreshing(_ session: Session) -> some Scene {
            backgroundTask(.appRefresh(Session.refreshID)) {
                await Session.scheduleRefresh()
                await session.refresh()
            }
        }
    }
// end
#endif
