import Foundation
package import LockstepStore
import LockstepSync

/// The records of a ``FakeFeed``, and the last change of each in each scope: a value.
package struct FeedState: Sendable {
    package internal(set) var records: [Key: Record] = [:]
    /// The changes by scope.
    var scopes: [String: Scope] = [:]
    /// The users who may read and write a scope.
    var readers: [String: Set<String>] = [:]
    /// The responses by user and idempotency key.
    var responses: [String: StoredChange] = [:]
    /// The open transactions.
    var held: [Held] = []
    /// Changes when the server is restored from a backup.
    package internal(set) var epoch = 1
    private var lastVersion: Int64 = 0

    /// The identity of a record.
    package struct Key: Hashable, Sendable {
        package let entity: String
        package let values: [JSONValue]

        package init(_ entity: String, values: [JSONValue]) { (self.entity, self.values) = (entity, values) }

        var text: String { entity + " " + RemoteIdentity(values).text }
    }

    package struct Record: Sendable {
        package var json: JSONValue
        package var version: Int64
        package var scope: String
    }

    struct Scope: Sendable {
        /// The last number, and that up to which tombstones were dropped.
        var (head, floor) = (0, 0)
        var changes: [Key: Change] = [:]
    }

    /// The last change of a record in a scope.
    struct Change: Sendable {
        let number: Int
        let version: Int64
        let isGone: Bool
    }

    /// A transaction that is not committed yet.
    struct Held: Sendable {
        let json: JSONValue
        let key: Key
        /// The number that it has already, in the scope that the record had.
        let number: (scope: String, value: Int)?
    }

    /// A change that was applied or refused.
    struct StoredChange: Sendable {
        let request: String
        let response: SendResponse
    }

    /// The number of open transactions.
    package var heldCount: Int { held.count }

    package func canRead(_ scope: String, user: String) -> Bool { readers[scope]?.contains(user) == true }

    /// Takes the state of a backup.
    ///
    /// - Parameter repeatsVersions: Whether versions of the time that was lost are given again.
    mutating func restore(_ backup: FeedState, repeatsVersions: Bool) {
        let (lostEpoch, lostVersion) = (epoch, lastVersion)
        self = backup
        epoch = lostEpoch + 1
        if !repeatsVersions { lastVersion = max(lastVersion, lostVersion) }
    }

    // MARK: Writing

    /// Creates or replaces a record.
    ///
    /// - Returns: `nil` if it cannot be stored.
    mutating func put(_ json: JSONValue, at key: Key, rules: FakeFeed.Rules, number: Int? = nil) -> Record? {
        var json = json
        rules.fill(key.entity, &json)
        guard let scope = rules.scope(key.entity, json, self) else { return nil }
        lastVersion += 1
        if let former = records[key], former.scope != scope { note(key, in: former.scope, isGone: true) }
        let record = Record(json: json, version: lastVersion, scope: scope)
        records[key] = record
        note(key, in: scope, isGone: false, number: number)
        return record
    }

    /// Deletes a record, with those that depend on it.
    mutating func remove(_ key: Key, rules: FakeFeed.Rules) {
        guard records[key] != nil else { return }
        for dependent in rules.dependents(key, self).sorted(by: { $0.text < $1.text }) {
            remove(dependent, rules: rules)
        }
        guard let record = records.removeValue(forKey: key) else { return }
        lastVersion += 1
        note(key, in: record.scope, isGone: true)
    }

    private mutating func note(_ key: Key, in scope: String, isGone: Bool, number: Int? = nil) {
        let number = number ?? makeNumber(in: scope)
        scopes[scope, default: Scope()].changes[key] = Change(number: number, version: lastVersion, isGone: isGone)
    }

    private mutating func makeNumber(in scope: String) -> Int {
        scopes[scope, default: Scope()].head += 1
        return scopes[scope]?.head ?? 1
    }

    mutating func hold(_ json: JSONValue, at key: Key, rules: FakeFeed.Rules) {
        var number: (String, Int)?
        if rules.fault == .numbersEarly, let scope = rules.scope(key.entity, json, self) {
            number = (scope, makeNumber(in: scope))
        }
        held.append(Held(json: json, key: key, number: number))
    }

    mutating func commitHeld(rules: FakeFeed.Rules) {
        guard !held.isEmpty else { return }
        let transaction = held.removeFirst()
        _ = put(transaction.json, at: transaction.key, rules: rules, number: transaction.number?.value)
    }

    mutating func expireTombstones() {
        for (name, scope) in scopes {
            let gone = scope.changes.filter { $0.value.isGone }
            guard let last = gone.values.map(\.number).max() else { continue }
            scopes[name]?.floor = max(scope.floor, last)
            for key in gone.keys { scopes[name]?.changes[key] = nil }
        }
    }
}

// MARK: Reading

extension FeedState {
    /// Where a scope is read: the number that was reached, and the head when its first reading began.
    private struct Place {
        var reached: Int
        let start: Int
    }

    /// The changes after a cursor that a user may see.
    func page(after cursor: String?, for user: String, pageSize: Int) -> FeedPage {
        guard var places = places(cursor) else { return .expired }
        let lost = places.keys.filter { !canRead($0, user: user) }.sorted()
        for scope in lost { places[scope] = nil }
        for (scope, place) in places {
            let known = scopes[scope] ?? Scope()
            if place.reached > known.head || max(place.reached, place.start) < known.floor { return .expired }
        }
        for scope in readers.keys where places[scope] == nil && canRead(scope, user: user) {
            places[scope] = Place(reached: 0, start: scopes[scope]?.head ?? 0)
        }
        var left = pageSize
        var hasMore = false
        var changes: [FeedPage.Changes] = []
        for (name, var place) in places.sorted(by: { $0.key < $1.key }) {
            let scope = scopes[name] ?? Scope()
            // A first reading needs no deletions of what it has not read.
            let new = scope.changes.filter {
                $0.value.number > place.reached && !($0.value.isGone && $0.value.number <= place.start)
            }.sorted { $0.value.number < $1.value.number }
            let part = new.prefix(left)
            left -= part.count
            if part.count < new.count {
                hasMore = true
                place.reached = part.last?.value.number ?? place.reached
            } else {
                place.reached = scope.head
            }
            places[name] = place
            changes += self.changes(Array(part), in: name, for: user)
        }
        return FeedPage(cursor: text(of: places), hasMore: hasMore, changes: changes, lostScopes: lost)
    }

    private func changes(
        _ changes: [(key: Key, value: Change)], in scope: String, for user: String
    ) -> [FeedPage.Changes] {
        Dictionary(grouping: changes) { $0.key.entity }.sorted { $0.key < $1.key }.map { entity, changes in
            let present = changes.compactMap { change in change.value.isGone ? nil : records[change.key] }
            let deletions = changes.filter(\.value.isGone).map { change in
                let now = records[change.key]?.scope
                return FeedPage.Deletion(
                    RemoteIdentity(change.key.values), version: change.value.version,
                    movedTo: now.flatMap { canRead($0, user: user) ? $0 : nil })
            }
            let list = (try? JSONValue.array(present.map(\.json)).json()) ?? Data()
            return FeedPage.Changes(
                of: entity, in: scope, records: list, versions: present.map(\.version), deletions: deletions)
        }
    }

    // MARK: Cursors

    private func text(of places: [String: Place]) -> String {
        ([String(epoch)] + places.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.reached)=\($0.value.start)" })
            .joined(separator: " ")
    }

    /// - Returns: `nil` if the cursor is of another epoch.
    private func places(_ cursor: String?) -> [String: Place]? {
        guard let cursor else { return [:] }
        let parts = cursor.split(separator: " ")
        guard parts.first.map(String.init) == String(epoch) else { return nil }
        var places: [String: Place] = [:]
        for part in parts.dropFirst() {
            let values = part.split(separator: "=")
            guard values.count == 3, let reached = Int(values[1]), let start = Int(values[2]) else { return nil }
            places[String(values[0])] = Place(reached: reached, start: start)
        }
        return places
    }
}

// MARK: Pushing

extension FeedState {
    /// Applies a change, once for each idempotency key.
    mutating func apply(_ change: OutgoingChange, of user: String, rules: FakeFeed.Rules) -> SendResponse {
        let body = String(decoding: change.kind == .update ? change.changes : change.body, as: UTF8.self)
        let request = "\(change.kind) \(change.entity.name) \(change.identity?.text ?? "") \(body)"
        let key = user + " " + change.idempotencyKey
        if let stored = responses[key] {
            guard stored.request == request else { return refusal(422, reason: "the key was used before") }
            return repeated(stored.response, of: change.entity.name, user: user, rules: rules)
        }
        let response = response(to: change, of: user, rules: rules)
        // What was not applied may be applied later.
        if case .accepted = response { responses[key] = StoredChange(request: request, response: response) }
        return response
    }

    /// The response to a change that was applied before: it has the present record.
    private func repeated(
        _ response: SendResponse, of entity: String, user: String, rules: FakeFeed.Rules
    ) -> SendResponse {
        guard case .accepted(_, _, let identity?) = response else { return response }
        guard let record = records[Key(entity, values: identity.values)], canRead(record.scope, user: user) else {
            return .accepted(body: nil, version: nil, identity: identity)
        }
        return accepted(record, identity: identity, rules: rules)
    }

    private func accepted(_ record: Record, identity: RemoteIdentity, rules: FakeFeed.Rules) -> SendResponse {
        let body = rules.respondsWithRecord ? try? record.json.json() : nil
        return .accepted(body: body, version: String(record.version), identity: identity)
    }

    private mutating func response(
        to change: OutgoingChange, of user: String, rules: FakeFeed.Rules
    ) -> SendResponse {
        let current = change.identity.flatMap { records[Key(change.entity.name, values: $0.values)] }
        if let current, !canRead(current.scope, user: user) {
            return refusal(403, reason: "the record belongs to others")
        }
        switch change.kind {
        case .create:
            guard var json = try? JSONValue(json: change.body) else {
                return refusal(400, reason: "the body is not JSON")
            }
            if current != nil { return refusal(409, reason: "the record exists already") }
            let identity = change.identity ?? makeIdentity(of: change.entity)
            if change.identity == nil { change.entity.setIdentity(identity.values[0], in: &json) }
            return store(json, at: Key(change.entity.name, values: identity.values), of: user, rules: rules)
        case .update:
            guard let identity = change.identity, let current else { return .absent }
            if let outdated = outdated(change, current: current) { return outdated }
            guard case .object(let members)? = try? JSONValue(json: change.changes) else {
                return refusal(400, reason: "the changes are not an object")
            }
            var json = current.json
            for (name, value) in members { json[name] = value }
            return store(json, at: Key(change.entity.name, values: identity.values), of: user, rules: rules)
        case .delete:
            guard let identity = change.identity, let current else { return .absent }
            if let outdated = outdated(change, current: current) { return outdated }
            remove(Key(change.entity.name, values: identity.values), rules: rules)
            return .accepted(body: nil, version: String(lastVersion))
        }
    }

    private mutating func store(
        _ json: JSONValue, at key: Key, of user: String, rules: FakeFeed.Rules
    ) -> SendResponse {
        guard let scope = rules.scope(key.entity, json, self) else {
            return refusal(422, reason: "it refers to nothing")
        }
        // Who creates a scope may read it.
        if readers[scope] == nil { readers[scope] = [user] }
        guard canRead(scope, user: user) else { return refusal(403, reason: "the scope belongs to others") }
        guard let record = put(json, at: key, rules: rules) else { return refusal(422, reason: "it refers to nothing") }
        return accepted(record, identity: RemoteIdentity(key.values), rules: rules)
    }

    private mutating func makeIdentity(of entity: RemoteEntity) -> RemoteIdentity {
        let known = records.keys.filter { $0.entity == entity.name }.compactMap { Int64($0.values[0].identityText) }
        return RemoteIdentity([entity.makeIdentity(number: (known.max() ?? 0) + 1)])
    }

    private func outdated(_ change: OutgoingChange, current: Record) -> SendResponse? {
        guard let version = change.version, version != String(current.version) else { return nil }
        return .outdated(current: try? current.json.json(), version: String(current.version))
    }

    private func refusal(_ status: Int, reason: String) -> SendResponse {
        .refused(status: status, body: (try? JSONValue.object(["message": .string(reason)]).json()) ?? Data())
    }
}

extension JSONValue {
    fileprivate var identityText: String { RemoteIdentity([self]).text }
}
