#if canImport(SwiftUI)
    public import LockstepStore
    public import SwiftUI

    /// The records that a request selects in the environment's store, as values, kept up to date.
    ///
    /// ```swift
    /// @Representations(Entry.order(\.timestamp.desc).limit(20)) private var entries: [EntryRepresentation]
    /// ```
    ///
    /// The values are those that were last saved. They are read off the main actor, except for the first ones.
    @propertyWrapper @MainActor
    public struct Representations<Object: Model>: DynamicProperty {
        @Environment(\.store) private var store
        @State private var source = RepresentationsSource<Object>()
        private let request: ResultsRequest<Object, Unsectioned>
        private let animation: Animation?

        /// The values of a request.
        ///
        /// - Parameters:
        ///   - request: The records to show.
        ///   - animation: Animates each change of the values.
        public init(_ request: some ModelRequest<Object>, animation: Animation? = nil) {
            self.request = ResultsRequest(request)
            self.animation = animation
        }

        public var wrappedValue: [Object.Representation] { source.values }

        public var projectedValue: RepresentationsSource<Object> { source }

        nonisolated public func update() {
            MainActor.assumeIsolated {
                source.surround = animation.map { animation in { change in withAnimation(animation, change) } }
                source.follow(store, for: request)
            }
        }
    }
#endif
