#if canImport(SwiftUI)
    public import LockstepSync
    public import SwiftUI

    extension EnvironmentValues {
        /// The store of `@Results`, `@LiveRecord` and `@Representations`; `nil` by default.
        public var store: Store? {
            get { self[StoreKey.self] }
            set { self[StoreKey.self] = newValue }
        }

        /// The sync of `@SyncState`; `nil` by default.
        public var sync: Sync? {
            get { self[SyncKey.self] }
            set { self[SyncKey.self] = newValue }
        }
    }

    private struct StoreKey: EnvironmentKey {
        static var defaultValue: Store? { nil }
    }

    private struct SyncKey: EnvironmentKey {
        static var defaultValue: Sync? { nil }
    }

    extension View {
        /// Sets the store whose records the view and those inside it show.
        public func store(_ store: Store?) -> some View { environment(\.store, store) }

        /// Sets the sync whose state the view and those inside it show.
        public func sync(_ sync: Sync?) -> some View { environment(\.sync, sync) }
    }
#endif
