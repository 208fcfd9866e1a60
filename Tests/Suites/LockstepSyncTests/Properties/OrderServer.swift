import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem

/// A server with one order, whose lists it merges: what is sent without an identity gets one.
final class OrderServer: Remote {
    struct Line: Sendable {
        var members: JSONObject
        var stamps: [JSONObject] = []

        /// What is compared: the title, the count and the stamps.
        var text: String {
            let texts = stamps.map { Self.text($0["text"]) }.sorted()
            return "\(Self.text(members["title"])) \(Self.text(members["count"])) \(texts)"
        }

        static func text(_ value: JSONValue?) -> String {
            switch value {
            case .string(let text): text
            case .integer(let number): "\(number)"
            default: "null"
            }
        }
    }

    /// What becomes of the next change.
    enum Answer: CaseIterable { case whole, reversed, withoutList, empty, leavesOut, lost, unsent, refused }

    struct State {
        var name: String?
        var lines: [Line] = []
        var number: Int64 = 10
        var answer = Answer.whole
        /// Whether others add a line like one whose request does not arrive, but with another title.
        var copies = false
        var copyCount = 0
        var shown: Set<Int64> = []
        var creations = 0
        var key = ""
        var problem: String?
        var log: [String] = []
    }

    let canFetch: Bool
    let state = Locked(State())
    /// What happens here while the next change is under way.
    let meanwhile = Locked<(@Sendable () async throws -> Void)?>(nil)
    let traits = RemoteTraits(sendsEmbedded: true, nestedDeletion: NestedDeletion("_destroy"))

    init(canFetch: Bool) { self.canFetch = canFetch }

    private func json(_ state: inout State, reversed: Bool = false) -> JSONValue {
        state.shown = Set(state.lines.compactMap { Self.id($0.members) })
        let lines = (reversed ? state.lines.reversed() : state.lines).map { line -> JSONValue in
            var members = line.members
            members["stamps"] = .array(line.stamps.map { .object($0) })
            return .object(members)
        }
        return ["id": 1, "name": .string(state.name ?? ""), "lines": .array(lines)]
    }

    private static func id(_ members: JSONObject) -> Int64? {
        if case .integer(let id)? = members["id"] { id } else { nil }
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try state.withLock { state in
            state.log.append("fetch")
            if case .record = request.target, !canFetch {
                throw SyncError(.unsupported, reason: "there are lists only", remedy: "Pull them.")
            }
            guard state.name != nil else {
                if case .record = request.target { return .absent }
                return .records(FetchResponse.Records(body: .data(Data("[]".utf8))))
            }
            let json = json(&state)
            if case .record = request.target { return .records(FetchResponse.Records(body: .data(try json.json()))) }
            return .records(FetchResponse.Records(body: .data(try JSONValue.array([json]).json())))
        }
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let body = meanwhile.withLock { meanwhile in
            defer { meanwhile = nil }
            return meanwhile
        }
        try await body?()
        return try state.withLock { state in
            let body = try JSONValue(json: change.kind == .create ? change.body : change.changes)
            let answer = state.answer
            state.answer = .whole
            state.log.append("\(change.kind) \(String(decoding: try body.json(), as: UTF8.self)) \(answer)")
            if answer == .unsent {
                let new = Self.list(body["lines_attributes"]).filter { Self.id($0) == nil }
                if state.copies, state.name != nil, let first = new.first {
                    add(first.merging(["title": "cog"]) { $1 }, to: &state)
                    state.copyCount += 1
                }
                state.copies = false
                throw SyncError(.network, reason: "it did not arrive", remedy: "Try again.")
            }
            if change.kind == .create, state.name != nil, change.idempotencyKey == state.key {
                return .accepted(body: try json(&state).json())
            }
            if answer == .refused { return .refused(status: 422, body: Data()) }
            if change.kind == .update, state.name == nil { return .absent }
            if change.kind == .create {
                state.creations += 1
                state.key = change.idempotencyKey
            }
            guard apply(body, isNew: change.kind == .create, leavesOut: answer == .leavesOut, &state) else {
                return .absent
            }
            switch answer {
            case .lost, .unsent, .refused:
                throw SyncError(.network, reason: "the response was lost", remedy: "Try again.")
            case .whole, .leavesOut: return .accepted(body: try json(&state).json())
            case .reversed: return .accepted(body: try json(&state, reversed: true).json())
            case .withoutList: return .accepted(body: Data(#"{"id": 1, "name": "\#(state.name ?? "")"}"#.utf8))
            case .empty: return .accepted(body: nil, identity: change.kind == .create ? [1] : nil)
            }
        }
    }

    static func list(_ value: JSONValue?) -> [JSONObject] {
        guard case .array(let list)? = value else { return [] }
        return list.compactMap { if case .object(let members) = $0 { members } else { nil } }
    }

    /// Returns whether it knows all that is named.
    private func apply(_ body: JSONValue, isNew: Bool, leavesOut: Bool, _ state: inout State) -> Bool {
        let lines = Self.list(body["lines_attributes"])
        if isNew, lines.contains(where: { Self.id($0) != nil }) { state.problem = "a new order has known lines" }
        let known = Set(state.lines.compactMap { Self.id($0.members) })
        for line in lines where !isNew {
            guard let id = Self.id(line), !known.contains(id) else { continue }
            if line["_destroy"] != nil, !state.shown.contains(id) { state.problem = "\(id) is deleted twice" }
            return false
        }
        if case .string(let name)? = body["name"] { state.name = name }
        for (index, line) in lines.enumerated() {
            if let id = Self.id(line), let place = state.lines.firstIndex(where: { Self.id($0.members) == id }) {
                if line["_destroy"] != nil { state.lines.remove(at: place) } else { merge(line, at: place, &state) }
            } else if !(leavesOut && index == lines.count - 1) {
                add(line, to: &state)
            }
        }
        return true
    }

    private func merge(_ line: JSONObject, at place: Int, _ state: inout State) {
        for (key, value) in line where key != "stamps_attributes" { state.lines[place].members[key] = value }
        for stamp in Self.list(line["stamps_attributes"]) {
            let other = state.lines[place].stamps.firstIndex { Self.id($0) != nil && Self.id($0) == Self.id(stamp) }
            if let other, stamp["_destroy"] != nil {
                state.lines[place].stamps.remove(at: other)
            } else if let other {
                state.lines[place].stamps[other] = state.lines[place].stamps[other].merging(stamp) { $1 }
            } else {
                state.number += 1
                state.lines[place].stamps.append(stamp.merging(["id": .integer(state.number)]) { $1 })
            }
        }
    }

    func add(_ line: JSONObject, to state: inout State) {
        state.number += 1
        var members = line
        members["stamps_attributes"] = nil
        members["id"] = .integer(state.number)
        state.lines.append(Line(members: members))
        merge(["stamps_attributes": line["stamps_attributes"] ?? []], at: state.lines.count - 1, &state)
    }
}
