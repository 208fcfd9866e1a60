import Foundation

/// What is done about the answer to a change that was sent: a value, decided from values.
enum PushDecision: Equatable {
    /// The server has taken it. The body is merged back (Rules.md, P5).
    case confirm(body: Data?, version: String?, identity: RemoteIdentity?)
    /// The record is on the server no longer.
    case goneThere
    /// The record was changed there: its value is merged, and the change is sent to that one (Rules.md, C4).
    case mergeAndSendAgain(current: Data?, version: String?)
    /// The server will never take it (Rules.md, P8).
    case park(status: Int, body: Data)
    /// It is tried again, the others meanwhile.
    case later(delaySeconds: TimeInterval, status: Int)
    /// Nothing is sent until then.
    case pause(delaySeconds: TimeInterval, status: Int)

    /// Decides.
    ///
    /// - Parameters:
    ///   - kind: What was sent.
    ///   - attempts: How often it was sent, this time included.
    ///   - random: A number from 0 up to 1.
    init(
        _ response: SendResponse, to kind: OutgoingChange.Kind, attempts: Int, schedule: RetrySchedule, random: Double
    ) {
        switch response {
        case .accepted(let body, let version, let identity):
            self = .confirm(body: body, version: version, identity: identity)
        case .absent:
            switch kind {
            // A delete that finds nothing has succeeded (Rules.md, P6).
            case .delete: self = .confirm(body: nil, version: nil, identity: nil)
            case .update: self = .goneThere
            // There is nowhere to create it.
            case .create: self = .park(status: 404, body: Data())
            }
        case .outdated(let current, let version): self = .mergeAndSendAgain(current: current, version: version)
        case .refused(let status, let body): self = .park(status: status, body: body)
        case .unavailable(let status, let retryAfter):
            let delay = schedule.delaySeconds(after: attempts, retryAfter: retryAfter, random: random)
            // 429, and 503 that says until when, are about the server and not about this change.
            let isForAll = status == 429 || (status == 503 && retryAfter != nil)
            self =
                isForAll
                ? .pause(delaySeconds: delay, status: status) : .later(delaySeconds: delay, status: status)
        }
    }
}
