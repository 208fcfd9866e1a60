import Foundation

/// A request that is reported when it ends.
struct MeasuredExchange: Sendable {
    private let operation: SyncExchange.Operation
    private let entity: String?
    private let record: String?
    private let start: Date
    private let diagnostics: Diagnostics

    init(_ operation: SyncExchange.Operation, entity: String?, record: String?, diagnostics: Diagnostics) {
        self.operation = operation
        self.entity = entity
        self.record = record
        self.diagnostics = diagnostics
        start = diagnostics.clock.now
    }

    init(_ request: RemoteRequest, diagnostics: Diagnostics) {
        let name = request.entity.name
        switch request.target {
        case .record(let identity):
            self.init(.fetchRecord, entity: name, record: identity.text, diagnostics: diagnostics)
        case .collection, .path:
            self.init(
                request.since == nil ? .fetch : .fetchChanges, entity: name, record: nil, diagnostics: diagnostics)
        }
    }

    init(_ change: OutgoingChange, diagnostics: Diagnostics) {
        let operation: SyncExchange.Operation =
            switch change.kind {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        self.init(operation, entity: change.entity.name, record: change.identity?.text, diagnostics: diagnostics)
    }

    func end(_ outcome: SyncExchange.Outcome) {
        let seconds = diagnostics.clock.now.timeIntervalSince(start)
        diagnostics.send(
            .request(
                SyncExchange(
                    operation: operation, entity: entity, record: record, seconds: seconds, outcome: outcome)))
    }

    /// Reports an error, unless it is the cancellation of the task.
    ///
    /// - Returns: The error.
    func failing(_ error: any Error) -> any Error {
        if let error = error as? SyncError { end(.failure(error)) }
        return error
    }
}

extension FetchResponse {
    var outcome: SyncExchange.Outcome {
        switch self {
        case .records: .success
        case .notModified: .notModified
        case .absent, .gone: .absent
        case .expired: .rejected(status: nil)
        }
    }
}

extension SendResponse {
    var outcome: SyncExchange.Outcome {
        switch self {
        case .accepted: .success
        case .absent: .absent
        case .outdated: .rejected(status: nil)
        case .refused(let status, _): .rejected(status: status)
        case .unavailable(let status, _): .rejected(status: status)
        }
    }
}

extension BatchResult {
    /// `nil` if it was not sent, or the task was cancelled.
    var outcome: SyncExchange.Outcome? {
        switch self {
        case .response(let response): response.outcome
        case .failure(let error): (error as? SyncError).map(SyncExchange.Outcome.failure)
        case .unsent: nil
        }
    }
}
