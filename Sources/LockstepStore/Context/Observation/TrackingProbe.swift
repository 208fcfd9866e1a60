import Foundation
import Observation

/// Finds out whether the running code is tracked, as the body of a SwiftUI view is.
///
/// The Observation module has no function for this. But only if code is tracked does a registrar add the key path of a
/// read to a set, and so hash it. The probe's key path has a subscript whose index notices the hashing. So an object
/// needs a registrar only if tracked code has read it, and an untracked read costs one call.
///
/// `Sendable` is unchecked because the probe belongs to the main actor: only its contexts use it.
final class TrackingProbe: Observable, @unchecked Sendable {
    static let main = TrackingProbe()

    /// The observers of the next object that tracked code reads for the first time.
    ///
    /// Tracked code keeps its closure in every registrar that it has asked, until something changes. So each belongs to
    /// an object, and goes away with it.
    ///
    /// It is unmanaged because most reads ask it only whether they are tracked, and retaining it would be half of that.
    private var spare = Unmanaged.passRetained(ObserverList())
    private let path: KeyPath<TrackingProbe, Void>
    /// The key paths that a thread has noticed. Key paths may be hashed on several at a time, because a tracking can
    /// end on any.
    private let noticed: Notice
    /// Whether every read must count as tracked, because this version of Observation hashes nothing.
    private var assumesTracking = false

    private init() {
        noticed = Notice()
        path = \TrackingProbe[noticed]
        var isNoticed = false
        withObservationTracking {
            isNoticed = spare._withUnsafeGuaranteedRef { isTracking($0) }
        } onChange: {
        }
        assumesTracking = !isNoticed
        _ = takeSpare()
    }

    /// Whether the running code is tracked, asked by observers that are in use.
    @inline(__always)
    func isTracking(_ observers: ObserverList) -> Bool {
        observers.registrar.access(self, keyPath: path)
        guard noticed.isSet || assumesTracking else { return false }
        noticed.clear()
        return true
    }

    /// A new list if the running code is tracked. The caller uses it for what that code reads.
    @inline(__always)
    func observersIfTracking() -> ObserverList? {
        spare._withUnsafeGuaranteedRef { isTracking($0) } ? takeSpare() : nil
    }

    private func takeSpare() -> ObserverList {
        defer { spare = .passRetained(ObserverList()) }
        return spare.takeRetainedValue()
    }

    private subscript(noticed: Notice) -> Void { () }

    /// Forgets what a tracking that began or ended has noticed, which would make one read count as tracked.
    func forget() { noticed.clear() }

    /// A flag of each thread, which hashing sets.
    private struct Notice: Hashable {
        private let key: pthread_key_t

        init() {
            var key = pthread_key_t()
            let status = pthread_key_create(&key, nil)
            precondition(status == 0, "The process has no more keys for values of threads.")
            self.key = key
        }

        var isSet: Bool { pthread_getspecific(key) != nil }

        func clear() { pthread_setspecific(key, nil) }

        func hash(into hasher: inout Hasher) { pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }
    }
}

/// The observers of an object, as an object of its own: the layout of a registrar is known only at run time, and so
/// would be that of every class that holds one itself, and of its subclasses.
final class ObserverList {
    let registrar = ObservationRegistrar()
}
