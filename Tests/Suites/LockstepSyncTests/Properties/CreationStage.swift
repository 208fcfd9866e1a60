import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

/// A server with at most one record, in a place that anybody can take.
final class CreationServer: Remote {
    /// What the log has if a request for the record shows that the server does not have it.
    static let absent = "fetch record: absent"

    enum Answer: CaseIterable { case normal, lost, unsent, refused, failing }

    struct State {
        var record: JSONObject?
        var answer = Answer.normal
        /// Whether the record is others', and the device has not merged it with its own.
        var isOthers = false
        /// Whether the device has made the record again after others had deleted it.
        var isMadeAgain = false
        /// The titles of the device that were ever there.
        var reached: Set<String> = []
        /// The response to a creation that was accepted, by its key.
        var responses: [String: SendResponse] = [:]
        var log: [String] = []
    }

    let takenStatus: Int
    /// Whether it responds to a repeated creation as it did first.
    let repeatsResponses: Bool
    let state = Locked(State())

    init(takenStatus: Int, repeatsResponses: Bool) {
        (self.takenStatus, self.repeatsResponses) = (takenStatus, repeatsResponses)
    }

    let traits = RemoteTraits()

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try state.withLock { state in
            if case .record = request.target {
                state.log.append(state.record == nil ? Self.absent : "fetch record")
                guard let record = state.record else { return .absent }
                return .records(FetchResponse.Records(body: .data(try JSONValue.object(record).json())))
            }
            state.log.append("fetch collection")
            let list = state.record.map { [JSONValue.object($0)] } ?? []
            return .records(FetchResponse.Records(body: .data(try JSONValue.array(list).json())))
        }
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        try state.withLock { state in
            let answer = state.answer
            state.answer = .normal
            state.log.append("\(change.kind) \(String(decoding: change.changes, as: UTF8.self)) \(answer)")
            switch answer {
            case .unsent: throw SyncError(.network, reason: "it did not arrive", remedy: "Try again.")
            case .refused: return .refused(status: 422, body: Data())
            case .failing: return .unavailable(status: 500)
            case .normal, .lost: break
            }
            let former = repeatsResponses ? state.responses[change.idempotencyKey] : nil
            let response = try former ?? apply(change, &state)
            if change.kind == .create, case .accepted = response { state.responses[change.idempotencyKey] = response }
            if answer == .lost { throw SyncError(.network, reason: "the response was lost", remedy: "Try again.") }
            return response
        }
    }

    private func apply(_ change: OutgoingChange, _ state: inout State) throws -> SendResponse {
        if change.kind == .delete {
            guard state.record != nil else { return .absent }
            state.record = nil
            return .accepted(body: nil)
        }
        guard case .object(let members) = try JSONValue(json: change.changes) else { return .accepted(body: nil) }
        if change.kind == .create, state.record != nil {
            return takenStatus == 500 ? .unavailable(status: 500) : .refused(status: takenStatus, body: Data())
        }
        if change.kind == .update, state.record == nil { return .absent }
        state.record = (state.record ?? [:]).merging(members) { $1 }
        if case .string(let title)? = members["title"] { state.reached.insert(title) }
        if change.kind == .create { state.isOthers = false }
        return .accepted(body: try JSONValue.object(state.record ?? [:]).json())
    }
}

/// A device that has made a record, and others who may make, edit or delete one in its place.
final class CreationStage {
    private static let id = UUID(uuidString: "6f1c0000-0000-4000-8000-000000000001")!

    var random: SeededRandom
    /// Whether the identity is a number that others may choose, too.
    private let isNatural: Bool
    private let server: CreationServer
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync
    private var isDeleted = false
    private var title = ""
    private var pulledNumber = 0

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        isNatural = random.isOne(in: 2)
        server = CreationServer(
            takenStatus: random.element(of: [409, 422, 500]), repeatsResponses: random.isOne(in: 3))
        let schema: any StoreSchema.Type = isNatural ? ShopSchema.self : JournalSchema.self
        store = try Store(schema, at: .inMemory)
        sync = Sync(
            store: store, remote: server, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await edit("m0")
    }

    private var state: Comment { "\(isNatural ? "article" : "entry"): \(server.state.withLock { $0.log })" }

    private var key: JSONObject {
        isNatural ? ["id": 7] : ["identifier": .string(Self.id.uuidString.lowercased())]
    }

    /// The title that the device writes, and the text that others write.
    private func here() async throws -> [String] {
        if isNatural {
            return try await store.representations(Article.all()).map { "\($0.title) \($0.bodyText)" }
        }
        return try await store.representations(Entry.all()).map { "\($0.title) \($0.bodyText ?? "null")" }
    }

    private var there: [String] {
        let record = server.state.withLock { $0.record }
        return record.map { ["\(Self.text($0["title"])) \(Self.text($0[textKey]))"] } ?? []
    }

    private var textKey: String { isNatural ? "body_text" : "bodyText" }

    private static func text(_ value: JSONValue?) -> String {
        if case .string(let text)? = value { text } else { "null" }
    }

    func act(_ number: Int) async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case ..<2: if !isDeleted { try await edit("m\(number)") }
        case ..<6: try await push(random.element(of: CreationServer.Answer.allCases))
        case 6: try await pull()
        case ..<9: editThere(number)
        default: if random.isOne(in: 2) { try await delete() } else { deleteThere() }
        }
    }

    private func push(_ answer: CreationServer.Answer) async throws {
        let before = try await store.outbox.pending().first
        let hadRecord = server.state.withLock { state in
            state.answer = answer
            return state.record != nil
        }
        // What was sent before the server showed that it does not have the record has not arrived.
        let isRepeated = server.state.withLock { state in
            let unknown = state.log.split(separator: CreationServer.absent, omittingEmptySubsequences: false).last ?? []
            return unknown.contains { $0.hasPrefix("create") && !$0.hasSuffix("normal") }
        }
        _ = try? await sync.push()
        server.state.withLock { $0.answer = .normal }
        clock.advance(by: 100_000)
        try await checkText()
        let parked = try await store.outbox.pending().filter { $0.parked != nil }
        if parked.isEmpty { return }
        // A creation is parked if it is rejected at once, and the server does not have the record.
        let isJust = answer == .refused && !hadRecord && !(before?.kind == .create && isRepeated && !isDeleted)
        let isOthers = server.state.withLock { $0.isOthers }
        let isUpdate = parked.contains { $0.kind != .create }
        #expect(isJust || isUpdate || isOthers || isDeleted, state)
        try await store.outbox.retryAll()
    }

    private func pull() async throws {
        try await sync.forgetValidators()
        let options = MergeOptions(records: .all)
        if isNatural {
            try await sync.pull(Article.self, options: options)
        } else {
            try await sync.pull(Entry.self, options: options)
        }
        pulledNumber = 0
        if !isDeleted { server.state.withLock { $0.isOthers = false } }
        try await checkText()
    }

    /// P5: no response brings an older text than the last one that was pulled.
    private func checkText() async throws {
        guard let text = try await here().first?.split(separator: " ").last, let number = Int(text.dropFirst()) else {
            return
        }
        #expect(number >= pulledNumber, state)
        pulledNumber = number
    }

    private func edit(_ title: String) async throws {
        self.title = title
        server.state.withLock { $0.log.append("edit \(title)") }
        let isNew = try await store.perform { [isNatural] context in
            let article = isNatural ? try Article.find(7, in: context) : nil
            let entry = isNatural ? nil : try Entry.find(Self.id, in: context)
            article?.title = title
            entry?.title = title
            let isNew = article == nil && entry == nil
            if isNew, isNatural { Article(id: 7, title: title, bodyText: "s0", context: context) }
            if isNew, !isNatural { Entry(identifier: Self.id, title: title, bodyText: "s0", context: context) }
            try context.save()
            return isNew
        }
        server.state.withLock { if isNew, !$0.reached.isEmpty { $0.isMadeAgain = true } }
    }

    private func delete() async throws {
        isDeleted = true
        server.state.withLock { $0.log.append("delete here") }
        try await store.perform { [isNatural] context in
            if isNatural {
                if let article = try Article.find(7, in: context) { context.delete(article) }
            } else if let entry = try Entry.find(Self.id, in: context) {
                context.delete(entry)
            }
            try context.save()
        }
    }

    /// Others write their text; if there is no record with this number, they make one.
    private func editThere(_ number: Int) {
        server.state.withLock { state in
            if state.record == nil {
                // A UUID is only theirs if they have seen the record, and the device has not used it again.
                guard isNatural || !state.reached.isEmpty && !state.isMadeAgain else { return }
                state.isOthers = true
                state.record = key.merging(["title": "theirs"]) { $1 }
            }
            state.record?[textKey] = .string("s\(number)")
            state.log.append("others write s\(number)")
        }
    }

    private func deleteThere() {
        server.state.withLock { state in
            if state.record != nil { state.log.append("others delete") }
            (state.record, state.isOthers) = (nil, false)
        }
    }

    func end() async throws {
        // What nobody has taken over since it was made by others is still theirs.
        let (isOthers, isDeleted) = (server.state.withLock { $0.isOthers }, isDeleted)
        for _ in 1...4 {
            try await push(.normal)
            try await pull()
        }
        #expect(try await here() == there, state)
        #expect(try await store.outbox.pending().isEmpty, state)
        if !isDeleted { #expect(server.state.withLock { $0.reached.contains(title) }, state) }
        let hasArrived = server.state.withLock { !$0.reached.isEmpty }
        if isOthers, isDeleted, !hasArrived { #expect(there.first?.hasPrefix("theirs") == true, state) }
    }
}
