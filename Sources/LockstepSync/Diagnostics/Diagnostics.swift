import Foundation
import LockstepStore
import LockstepSystem

/// Collects what happens during a sync: for subscribers, for observers such as a log, and the last of it for a report.
final class Diagnostics: Sendable {
    /// The number of events that a report shows.
    static let recentLimit = 200
    /// The number of different skipped records, notes and parked changes that are remembered to be reported once.
    private static let knownLimit = 10_000

    private struct State {
        var recent: [SyncDiagnostic] = []
        /// Where the oldest one is, once there are as many as are kept.
        var oldest = 0
        var skipped: Set<SkippedRecord> = []
        var notes: Set<MergeNote> = []
        var parked: Set<PendingChange> = []
        var observers: [@Sendable (SyncDiagnostic) -> Void] = []
    }

    private let state = Locked(State())
    private let broadcast = Broadcast<SyncDiagnostic>()
    let clock: any SyncClock
    private let identities: DisclosedIdentities

    init(_ clock: any SyncClock, identities: DisclosedIdentities) {
        self.clock = clock
        self.identities = identities
    }

    func send(_ event: SyncDiagnostic.Event) {
        let diagnostic = SyncDiagnostic(date: clock.now, event: event, identities: identities)
        let observers = state.withLock { state in
            if state.recent.count < Self.recentLimit {
                state.recent.append(diagnostic)
            } else {
                state.recent[state.oldest] = diagnostic
                state.oldest = (state.oldest + 1) % Self.recentLimit
            }
            return state.observers
        }
        for observer in observers { observer(diagnostic) }
        broadcast.send(diagnostic)
    }

    /// The last events, the oldest first.
    var recent: [SyncDiagnostic] {
        state.withLock { Array($0.recent[$0.oldest...] + $0.recent[..<$0.oldest]) }
    }

    /// The events from now on.
    func values() -> AsyncStream<SyncDiagnostic> { broadcast.values() }

    /// Calls a function with each event, in no particular isolation, before subscribers receive it.
    func observe(_ observer: @escaping @Sendable (SyncDiagnostic) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    // MARK: What is reported once

    /// Reports the skipped records and the notes of a merge. Each pull finds the same again.
    func note(_ summary: MergeSummary) {
        if summary.skipped.isEmpty, summary.notes.isEmpty { return }
        let (skipped, notes) = state.withLock { state in
            (
                summary.skipped.filter { Self.isNew($0, known: &state.skipped) },
                summary.notes.filter { $0.code.isEvent || Self.isNew($0, known: &state.notes) }
            )
        }
        for record in skipped { send(.skipped(record)) }
        for note in notes { send(.merge(note)) }
    }

    /// The changes that are parked now.
    func noteParked(_ changes: [PendingChange]) {
        let new = state.withLock { state in
            let known = state.parked
            state.parked = Set(changes)
            return changes.filter { !known.contains($0) }
        }
        for change in new { send(.parked(change)) }
    }

    private static func isNew<Value: Hashable>(_ value: Value, known: inout Set<Value>) -> Bool {
        if known.count >= knownLimit { known = [] }
        return known.insert(value).inserted
    }
}

extension MergeNote.Code {
    /// Whether a merge resolves what it notes, so that it is not found again.
    fileprivate var isEvent: Bool {
        switch self {
        case .conflict, .adopted, .renamed: true
        default: false
        }
    }
}
