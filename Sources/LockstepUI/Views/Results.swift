#if canImport(SwiftUI)
    public import LockstepStore
    public import SwiftUI

    /// The records that a request selects in the environment's store, kept up to date.
    ///
    /// ```swift
    /// struct EntryList: View {
    ///     @Results(Entry.order(\.timestamp.desc), sectionedBy: \.mood, animation: .default) private var entries
    ///
    ///     var body: some View {
    ///         List(entries) { Text($0.title) }
    ///     }
    /// }
    /// ```
    ///
    /// The view is updated when rows are inserted, deleted or moved, or when their records change. The value is a
    /// collection of the rows, with their `sections`. The first rows are there in the first frame.
    ///
    /// To show another request, pass it to the view's initializer, or load it: `await $entries.load(request)`. The
    /// previous rows stay until the others have been read.
    @propertyWrapper @MainActor
    public struct Results<Object: Model, Key: Hashable>: DynamicProperty {
        @Environment(\.store) private var store
        @State private var source = ResultsSource<Object, Key>()
        private let request: ResultsRequest<Object, Key>

        /// Creates results that show rows in sections.
        ///
        /// - Parameters:
        ///   - request: The records to show.
        ///   - key: Returns the section key of a row. The view keeps using the first function that it gets. To divide
        ///     the rows by another key, give the view another `id(_:)`.
        ///   - sectionOrder: Returns whether one section comes before another. For `Comparable` keys, pass `<`. By
        ///     default, sections are in the order of their first rows.
        ///   - animation: Animates each change of the rows.
        public init(
            _ request: some ModelRequest<Object>, sectionedBy key: @escaping (Object) -> Key,
            sectionOrder: ((Key, Key) -> Bool)? = nil, animation: Animation? = nil
        ) {
            self.request = ResultsRequest(
                request, sectionedBy: key, sectionOrder: sectionOrder, surround: Self.surround(animation))
        }

        public var wrappedValue: ResultsRows<Object, Key> { source.rows }

        public var projectedValue: ResultsSource<Object, Key> { source }

        nonisolated public func update() {
            MainActor.assumeIsolated { source.follow(store, for: request) }
        }

        private static func surround(_ animation: Animation?) -> ((() -> Void) -> Void)? {
            animation.map { animation in { change in withAnimation(animation, change) } }
        }
    }

    extension Results where Key == Unsectioned {
        /// Creates results that show rows without sections.
        ///
        /// - Parameters:
        ///   - request: The records to show.
        ///   - animation: Animates each change of the rows.
        public init(_ request: some ModelRequest<Object>, animation: Animation? = nil) {
            self.request = ResultsRequest(request, surround: Self.surround(animation))
        }
    }
#endif
