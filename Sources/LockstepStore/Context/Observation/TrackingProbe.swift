import Foundation
import Observation

/// Finds out whether the running code is tracked, as the body of a SwiftUI view is.
///
/// The Observation module has no function for this. But only if code is tracked does a registrar add the key path of a
/// read to a set, and so hash it. The probe's key path has a subscript whose index notices the hashing. So an object
/// needs a registrar only if tracked code has read it, and an untracked read costs one call.
///
/// `Sendable` is unchecked because the probe belongs to the main thread: only contexts of the main actor use it, and it
/// ignores what it notices on another thread.
final class TrackingProbe: Observable, @unchecked Sendable {
    static let main = TrackingProbe()

    /// The registrar of the next object that tracked code reads for the first time.
    ///
    /// Tracked code keeps its closure in every registrar that it has asked, until something changes. So each belongs to
    /// an object, and goes away with it.
    private var spare = ObservationRegistrar()
    private let path: KeyPath<TrackingProbe, Void>
    private let isHashed: UnsafeMutablePointer<Bool>
    /// Whether every read must count as tracked, because this version of Observation hashes nothing.
    private var assumesTracking = false

    private init() {
        let isHashed = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        isHashed.initialize(to: false)
        self.isHashed = isHashed
        path = \TrackingProbe[Index(isHashed: isHashed)]
        var isNoticed = false
        withObservationTracking {
            isNoticed = isTracking(spare)
        } onChange: {
        }
        assumesTracking = !isNoticed
        spare = ObservationRegistrar()
    }

    /// Whether the running code is tracked, asked by a registrar that is in use.
    func isTracking(_ registrar: ObservationRegistrar) -> Bool {
        isHashed.pointee = assumesTracking
        registrar.access(self, keyPath: path)
        return isHashed.pointee
    }

    /// A new registrar if the running code is tracked. The caller uses it for what that code reads.
    func registrarIfTracking() -> ObservationRegistrar? {
        guard isTracking(spare) else { return nil }
        defer { spare = ObservationRegistrar() }
        return spare
    }

    private subscript(index: Index) -> Void { () }

    private struct Index: Hashable {
        let isHashed: UnsafeMutablePointer<Bool>

        func hash(into hasher: inout Hasher) {
            // When a tracking ends, its key paths may be hashed on another thread.
            if Thread.isMainThread { isHashed.pointee = true }
        }
    }
}
