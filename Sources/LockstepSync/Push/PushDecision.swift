import Foundation

/// What is done about the answer to a change that was sent: a value, decided from values.
enum PushDecision: Equatable {
    /// The server has taken it. The body is merged back (Rules.md, P5).
    case confirm(body: Data?, version: String?, identity: RemoteIdentity?)
    /// The record is on the server no longer.
    case goneThere
    /// The record was changed there: its value is merged, and the change is sent to that one (Rules.md, C4).
    case mergeAndSendAgain(current: Data?, version: String?)
    /// The same, as it seems: the server refuses the version that went along with it (Rules.md, C4).
    case stale(status: Int, body: Data)
    /// The server has not got it, though it may have been sent before: it is sent as a new one (Rules.md, P10).
    case sendAnew
    /// The server will never take it (Rules.md, P8).
    case park(status: Int, body: Data)
    /// It is tried again, the others meanwhile.
    case later(delaySeconds: TimeInterval, status: Int)
    /// What came is not the API's word, and proves nothing (Rules.md, P13): it is tried again, the others meanwhile.
    case unproven(delaySeconds: TimeInterval, status: Int?, String)
    /// Nothing is sent until then.
    case pause(delaySeconds: TimeInterval, status: Int)

    /// Decides.
    ///
    /// - Parameters:
    ///   - kind: What was sent.
    ///   - change: The request itself, whose record an answer must have; `nil` where there was no answer to it.
    ///   - isVersioned: Whether the value of a version attribute went along with it.
    ///   - attempts: How often it was sent, this time included.
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
            // Beside the identity of a new record, an object that is not the record says nothing.
            let isSaid = body.flatMap { change?.doubt(about: $0) } == nil
            self = .confirm(body: isSaid && kind != .delete ? body : nil, version: version, identity: identity)
        case .absent:
            switch kind {
            // A delete that finds nothing has succeeded (Rules.md, P6).
            case .delete: self = .confirm(body: nil, version: nil, identity: nil)
            case .update: self = .goneThere
            // There is nowhere to create it.
            case .create: self = .park(status: 404, body: Data())
            }
        case .outdated(let current, let version):
            let isSaid = current.map { AnsweredBody($0).isForeign || change?.isAnother($0) == true } != true
            self = .mergeAndSendAgain(current: isSaid ? current : nil, version: version)
        case .refused(let status, let body) where isVersioned && (status == 409 || status == 412):
            self = .stale(status: status, body: body)
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

extension SendResponse {
    /// Why it proves nothing, whatever the remote takes it for; `nil` where it does. A remote of an app's own may hand
    /// back what came, unseen.
    fileprivate func doubt(about change: OutgoingChange?) -> (status: Int?, reason: String)? {
        switch self {
        case .accepted(let body?, _, let identity):
            if case .foreign(let what) = AnsweredBody(body) { return (nil, "the answer is not the API's: \(what)") }
            // A new record's identity beside the body is that of the record.
            guard let change, identity == nil || change.kind != .create else { return nil }
            return change.doubt(about: body).map { (nil, "the answer is not the API's: \($0)") }
        case .refused(let status, _) where (300..<400).contains(status):
            return (status, "the answer is not the API's: \(status), a redirect that was not followed")
        case .refused(403, let body) where AnsweredBody.isPage(body):
            return (403, "the answer is not the API's: 403, a page for people")
        case .accepted, .absent, .outdated, .refused, .unavailable: return nil
        }
    }
}

extension AnsweredBody {
    fileprivate var isForeign: Bool { if case .foreign = self { true } else { false } }
}
