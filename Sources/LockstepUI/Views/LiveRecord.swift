#if canImport(SwiftUI)
    public import LockstepStore
    public import SwiftUI

    /// The record with the given identity in the environment's store; `nil` while there is none.
    ///
    /// ```swift
    /// struct EntryScreen: View {
    ///     @LiveRecord<Entry> private var entry: Entry?
    ///
    ///     init(id: UUID) { _entry = LiveRecord(Entry.self, id) }
    ///
    ///     var body: some View {
    ///         if let entry { EntryForm(entry: entry) } else { Text("This entry was deleted.") }
    ///     }
    /// }
    /// ```
    ///
    /// The view is updated when the record is inserted, changed or deleted.
    @propertyWrapper @MainActor
    public struct LiveRecord<Object: Model>: DynamicProperty {
        @Environment(\.store) private var store
        @State private var source = RecordSource<Object>()
        private let identity: Object.Identity?

        /// Creates a property that follows the record of this type with this identity.
        public init(_ type: Object.Type, _ identity: Object.Identity?) { self.identity = identity }

        public var wrappedValue: Object? { source.object }

        public var projectedValue: RecordSource<Object> { source }

        nonisolated public func update() {
            MainActor.assumeIsolated { source.follow(store, identity: identity) }
        }
    }
#endif
