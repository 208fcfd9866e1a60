import LockstepStore
import LockstepSync
import LockstepSystem

/// A server of articles whose lists may lack what it has, and that responds to each request for one record as it was
/// told.
final class UnlistedServer: Remote {
    enum Answer: Equatable, Sendable {
        case present, absent, gone, error(Int), unchanged

        var isGone: Bool { self == .absent || self == .gone }
    }

    private struct State {
        var listed: [Int] = []
        var answers: [Int: Answer] = [:]
        var asked: [Int] = []
    }

    let traits = RemoteTraits(hasVersions: true)
    /// The number of records of a page; `nil` for one page.
    let pageSize: Int?
    /// Whether its pages are consistent.
    let isSnapshot: Bool
    private let state = Locked(State())

    init(pageSize: Int?, isSnapshot: Bool) {
        self.pageSize = pageSize
        self.isSnapshot = isSnapshot
    }

    var listed: [Int] {
        get { state.withLock { $0.listed } }
        set { state.withLock { $0.listed = newValue } }
    }

    /// The responses to requests for one record; it has those that are not here.
    var answers: [Int: Answer] {
        get { state.withLock { $0.answers } }
        set { state.withLock { $0.answers = newValue } }
    }

    /// Returns the records that were requested since the last call, in their order.
    func takeAsked() -> [Int] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    static func json(_ ids: [Int], title: String = "T") throws -> HTTPBody {
        .data(try JSONValue.array(ids.map { record($0, title) }).json())
    }

    static func record(_ id: Int, _ title: String = "T") -> JSONValue {
        ["id": .integer(Int64(id)), "title": .string(title), "body_text": "b", "name": .string("n\(id)")]
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard case .record(let identity) = request.target else { return try page(request) }
        let id = Int(identity.text) ?? 0
        let answer = state.withLock { state in
            state.asked.append(id)
            return state.answers[id] ?? .present
        }
        switch answer {
        case .present: return .records(FetchResponse.Records(body: .data(try Self.record(id).json()), version: "v"))
        case .absent: return .absent
        case .gone: return .gone
        case .unchanged: return .notModified(address: "/articles/\(id)")
        case .error(let status):
            throw SyncError(.unavailable(status: status), reason: "it has no time", remedy: "Try again later.")
        }
    }

    private func page(_ request: RemoteRequest) throws -> FetchResponse {
        let (listed, first) = (listed, request.page.flatMap(Int.init) ?? 0)
        let size = pageSize ?? listed.count
        let next = first + size < listed.count ? String(first + size) : nil
        let ids = Array(listed.dropFirst(first).prefix(size))
        return .records(FetchResponse.Records(body: try Self.json(ids), next: next, isSnapshot: isSnapshot))
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse { .accepted(body: nil) }
}
