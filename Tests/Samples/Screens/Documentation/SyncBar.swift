#if canImport(SwiftUI)
    import Foundation
    import Journal
    import LockstepUI
    import SwiftUI

    // snippet
    struct SyncBar: View {
        let didSignIn: () -> Void
        @SyncState private var sync
        @State private var isSigningIn = false

        var body: some View {
            Group {
                if sync.needsSignIn {
                    Button("Sign in again to send \(sync.pendingCount) changes") { isSigningIn = true }
                } else if sync.needsUpdate {
                    Text("Update the app to send \(sync.pendingCount) changes.")
                } else if sync.attentionCount > 0 {
                    Text("\(sync.attentionCount) records need your attention.")
                } else if sync.isSyncing {
                    ProgressView(value: sync.fraction)
                } else if sync.pendingCount > 0 {
                    Text("\(sync.pendingCount) changes will be sent later.")
                } else if let date = sync.lastSuccess {
                    Text(date, format: .dateTime)
                }
            }
            .sheet(isPresented: $isSigningIn) {
                SignInForm {
                    isSigningIn = false
                    didSignIn()
                }
            }
        }
    }
    // end

    /// The app's own.
    struct SignInForm: View {
        let didSignIn: () -> Void

        var body: some View { Button("Sign in") { didSignIn() } }
    }
#endif
