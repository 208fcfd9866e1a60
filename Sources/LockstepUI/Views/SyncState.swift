#if canImport(SwiftUI)
    public import SwiftUI

    /// The state of the environment's sync, for a screen.
    ///
    /// ```swift
    /// @SyncState private var syncState
    ///
    /// var body: some View {
    ///     if syncState.needsSignIn { Button("Sign in again") { isSigningIn = true } }
    /// }
    /// ```
    @propertyWrapper @MainActor
    public struct SyncState: DynamicProperty {
        @Environment(\.sync) private var sync
        @State private var indicator = SyncIndicator()

        public init() {}

        public var wrappedValue: SyncIndicator { indicator }

        nonisolated public func update() {
            MainActor.assumeIsolated { indicator.follow(sync) }
        }
    }
#endif
