import Foundation

/// The decision about the response to a change: a value, decided from values.
enum PushDecision: Equatable {
    /// The server has taken the change. The body is merged (Rules.md, P5).
    case confirm(body: Data?, version: String?, identity: RemoteIdentity?)
    /// The record no longer exists on the server.
    case goneThere
    /// The record was changed on the server: its value is merged, and the change is sent against that version
    /// (Rules.md, C4).
    case mergeAndSendAgain(current: Data?, version: String?)
    /// Probably the same: the server rejects the version that was sent with the change (Rules.md, C4).
    case stale(status: Int, body: Data)
    /// The server does not have the record, although it may have been sent before: it is sent as a new one (Rules.md,
    /// P10).
    case sendAgain
    /// The server rejects the change permanently (Rules.md, P8).
    case park(status: Int, body: Data)
    /// The change is retried, and the others are sent meanwhile.
    case later(delaySeconds: TimeInterval, status: Int)
    /// The response did not come from the API and proves nothing (Rules.md, P13): the change is retried, and the others
    /// are sent meanwhile.
    case unproven(delaySeconds: TimeInterval, status: Int?, String)
    /// Nothing is sent until then.
    case pause(delaySeconds: TimeInterval, status: Int)

    /// Decides what to do.
    ///
    /// - Parameters:
    ///   - kind: What was sent.
    ///   - change: The request itself, whose record a response must contain; `nil` if there was no response to it.
    ///   - isVersioned: Whether the value of a version attribute was sent with it.
    ///   - attempts: How often it was sent, including this time.
    ///   - random: A number from 0 up to 1.
    init(
        _ response: SendResponse, to kind: OutgoingChange.Kind, of change: OutgoingChange? = nil,
        isVersioned: Bool = false, attempts: Int, schedule: RetrySchedule, random: Double
    ) {
        if let (status, reason) = response.doubt(about: change) {
            let delay = schedule.delaySeconds(after: attempts, random: random)
            self = .unproven(delaySeconds: delay, status: status, reason)
            return
        }
        switch response {
        case .accepted(let body, let version, let identity):
            // Apart from the identity of a new record, an object that is not the record says nothing.
            let isSaid = body.flatMap { change?.doubt(about: $0) } == nil
            self = .confirm(body: isSaid && kind != .delete ? body : nil, version: version, identity: identity)
        case .absent:
            switch kind {
            // A delete that finds no record has succeeded (Rules.md, P6).
            case .delete: self = .confirm(body: nil, version: nil, identity: nil)
            case .update: self = .goneThere
            // The place to create it in does not exist.
            case .create: self = .park(status: 404, body: Data())
            }
        case .outdated(let current, let version):
            let isSaid = current.map { ResponseBody($0).isForeign || change?.isAnother($0) == true } != true
            self = .mergeAndSendAgain(current: isSaid ? current : nil, version: version)
        case .refused(let status, let body) where isVersioned && (status == 409 || status == 412):
            self = .stale(status: status, body: body)
        case .refused(let status, let body): self = .park(status: status, body: body)
        case .unavailable(let status, let retryAfter):
            let delay = schedule.delaySeconds(after: attempts, retryAfter: retryAfter, random: random)
            // 429, and 503 with a date, are about the server, not about this change.
            let isForAll = status == 429 || (status == 503 && retryAfter != nil)
            self =
                isForAll
                ? .pause(delaySeconds: delay, status: status) : .later(delaySeconds: delay, status: status)
        }
    }
}

extension SendResponse {
    /// Why a response proves nothing, however the remote classified it; `nil` if it does prove something. An app's own
    /// remote may return a response that it has not checked.
    fileprivate func doubt(about change: OutgoingChange?) -> (status: Int?, reason: String)? {
        switch self {
        case .accepted(let body?, _, let identity):
            if case .foreign(let what) = ResponseBody(body) { return (nil, "the response is not the API's: \(what)") }
            // An identity that is returned beside the body is that of the new record.
            guard let change, identity == nil || change.kind != .create else { return nil }
            return change.doubt(about: body).map { (nil, "the response is not the API's: \($0)") }
        case .refused(let status, _) where !ResponseDisposition.isConclusive(status):
            let what = (300..<400).contains(status) ? "a redirect that was not followed" : "which rejects nothing"
            return (status, "the response is not the API's: \(status), \(what)")
        case .refused(403, let body) where ResponseBody.isPage(body):
            return (403, "the response is not the API's: 403, an HTML page")
        case .accepted, .absent, .outdated, .refused, .unavailable: return nil
        }
    }
}

extension ResponseBody {
    fileprivate var isForeign: Bool { if case .foreign = self { true } else { false } }
}
