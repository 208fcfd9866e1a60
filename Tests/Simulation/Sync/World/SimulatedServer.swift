import Foundation
import LockstepEvolution
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting

/// The servers that a simulation can have.
enum ServerKind: String, Sendable, CaseIterable {
    case memory = "a server in memory"
    case memoryWithVersions = "a server in memory with versions"
    case rails = "Rails"
    case railsWithVersions = "Rails with versions"
    case railsWithoutKeys = "Rails that knows no idempotency keys"
    case railsOfWholeRecords = "Rails that is given whole records"
    case firebase = "Firebase"
    case memoryThatEmbeds = "a server in memory with versions that has records inside of others"
    case railsThatEmbeds = "Rails that has records inside of others"

    /// Whether it has embedded records inside of their owners, and in no collections of their own.
    var embeds: Bool { self == .memoryThatEmbeds || self == .railsThatEmbeds }

    /// Whether it is Rails, which counts the versions of records that have an attribute for them.
    var isRails: Bool {
        switch self {
        case .rails, .railsWithVersions, .railsWithoutKeys, .railsOfWholeRecords, .railsThatEmbeds: true
        case .memory, .memoryWithVersions, .memoryThatEmbeds, .firebase: false
        }
    }

    /// The key of a list in what it has: Rails takes `lines_attributes`, and has `lines`.
    func storedKey(_ key: String) -> String {
        let suffix = "_attributes"
        return isRails && key.hasSuffix(suffix) ? String(key.dropLast(suffix.count)) : key
    }

    /// Whether it keeps of the records inside of others what it is not told of.
    func merges(_ entity: DomainEntity) -> Bool {
        guard let container = entity.container else { return false }
        return container.sentList != storedKey(container.sentList)
    }

    func fits(_ domain: Domain) -> Bool {
        switch self {
        // Numbers are made by no Firebase.
        case .firebase: domain.name == "Journal"
        // Nobody can tell whether such a server has taken a record that it names itself.
        case .railsWithoutKeys: domain.entities.allSatisfy { !$0.isServerMade }
        case .memoryThatEmbeds, .railsThatEmbeds:
            // A device keeps the letters that a person has no more, where no collection says that they are gone.
            domain.name != "Social's letters"
                && domain.entities.contains { owner in
                    Domain.embedded(in: owner, domain).contains { $0.member.plan.isReachable }
                }
        default: true
        }
    }
}

/// A server with what a simulation does to it and asks of it, whatever its dialect.
final class SimulatedServer: Sendable {
    private enum Backend: Sendable {
        case memory(MemoryRemote)
        case rails(RailsDoor)
        case firebase(FakeFirebase, clock: any SyncClock)
    }

    private struct RailsDoor: Sendable {
        let server: FakeRails
        let conventions: RESTConventions
        let usesVersions: Bool
        let sendsEmbedded: Bool
        let clock: any SyncClock
    }

    private let backend: Backend
    let domain: Domain
    /// Whether it can be reached.
    let door = Locked(true)
    /// Whether its session has ended: every request is redirected to a sign-in page, to which the response is 200 and
    /// HTML.
    let isSignedOut = Locked(false)
    /// Whether it can take the records that it breaks on.
    let isMended = Locked(false)
    /// What others do as soon as a device has read a page that is not the last.
    let betweenPages = Locked<[ServerEdit]>([])

    /// What a text ends with that the server refuses.
    static let refusedMark = "!"
    /// What a text ends with that it breaks on, however often it gets it, until somebody fixes it.
    static let breakingMark = "~"
    /// What a text ends with that it accepts and does not store, unless the record is new.
    static let ignoredMark = "^"

    /// Where Rails takes batches.
    static let batchPath = "/batch"

    /// The member with the time of a record's last change, which no schema knows.
    private static let stampMember = "stamped_at"

    /// A member that no schema knows.
    static let unknownMember = "written_by_newer_apps"

    init(_ scenario: Scenario, clock: any SyncClock) {
        domain = scenario.domain
        switch scenario.server {
        case .memory, .memoryWithVersions, .memoryThatEmbeds:
            let traits = RemoteTraits(
                sendsEmbedded: scenario.server.embeds, hasVersions: scenario.server != .memory)
            backend = .memory(
                MemoryRemote(
                    traits: traits, clock: clock, pageSize: scenario.pageSize,
                    respondsWithBody: scenario.respondsWithBody, maximumConcurrentChanges: nil,
                    columns: scenario.domain.columns,
                    fill: Self.identifying(scenario.domain), ignores: Self.isIgnored))
        case .rails, .railsWithVersions, .railsWithoutKeys, .railsOfWholeRecords, .railsThatEmbeds:
            let usesVersions = scenario.server == .railsWithVersions
            var conventions = RESTConventions()
            if scenario.server == .railsOfWholeRecords { conventions.writes.updates = .wholeRecord }
            if scenario.isEnveloped {
                conventions.envelope = .under("data")
                conventions.reads.paging = .cursor(in: "next", parameter: "cursor")
            }
            conventions.reads.changes = scenario.feed.map {
                // A list of everything may lack what lists of changes do not contain any more.
                Self.changes($0, overlap: scenario.hasOverlap ? $0.overlapSeconds + scenario.listLagSeconds : 0)
            }
            if scenario.batchCount > 1 {
                conventions.writes.batches = RESTConventions.Batches(Self.batchPath, of: scenario.batchCount)
            }
            if scenario.server.embeds { conventions.writes.nestedDeletion?.listSuffix = nil }
            let door = RailsDoor(
                server: FakeRails(Self.rules(scenario, usesVersions), clock: clock), conventions: conventions,
                usesVersions: usesVersions, sendsEmbedded: scenario.server.embeds, clock: clock)
            backend = .rails(door)
        case .firebase: backend = .firebase(FakeFirebase(clock: clock), clock: clock)
        }
        lagLists(bySeconds: scenario.listLagSeconds)
    }

    /// Makes lists lack new records for some seconds.
    func lagLists(bySeconds seconds: Double) {
        switch backend {
        case .memory(let remote): remote.lagLists(bySeconds: seconds)
        case .rails(let door): door.server.lagLists(bySeconds: seconds)
        // It has one database.
        case .firebase: break
        }
    }

    private static func rules(_ scenario: Scenario, _ hasVersions: Bool) -> RailsRules {
        var rules = RailsRules(
            pageSize: scenario.pageSize, hasVersions: hasVersions, respondsWithBody: scenario.respondsWithBody,
            putReplaces: true, remembersDeleted: scenario.seed % 2 == 0,
            honoursIdempotencyKeys: scenario.server != .railsWithoutKeys,
            takenStatus: scenario.seed % 4 < 2 ? 422 : 500)
        rules.envelope = scenario.isEnveloped ? RailsEnvelope() : nil
        rules.batches = RailsBatches(path: batchPath)
        rules.changes = scenario.feed.map(changes)
        rules.paths = Set(scenario.domain.followed.map(\.path))
        for entity in scenario.domain.followed {
            rules.wrapKeys[entity.path] = entity.plan.remote?.wrapKey
            rules.identityKeys[entity.path] = entity.identityKey
            guard let version = entity.plan.versionColumn.map({ entity.plan.columns[$0] }) else { continue }
            rules.versionKeys[entity.path] = version.wire?.path.first
            if version.type == .date { rules.versionDigits[entity.path] = scenario.versionDigits }
        }
        addNesting(to: &rules, scenario)
        rules.staleStatus = scenario.seed % 8 < 4 ? 409 : 412
        rules.validate = { _, record in refusals(of: record) }
        rules.columns = scenario.domain.columns
        rules.ignores = { _, member, value, isNew in isIgnored(member, value, isNew) }
        guard scenario.domain.hasForeignKeys else { return rules }
        for entity in scenario.domain.followed {
            for link in entity.links {
                guard let path = scenario.domain.entity(link.destination)?.path else { continue }
                // What others have deleted meanwhile is not the device's fault.
                rules.references[entity.path, default: [:]][link.key] = RailsRules.Reference(
                    path, isRequired: link.isRequired, mayBeDeleted: true)
            }
        }
        return rules
    }

    private static func changes(_ feed: Scenario.Feed, overlap: Double) -> RESTConventions.Changes {
        .updatedSince(
            attribute: feed.isByRecords ? WirePath(stringLiteral: stampMember) : nil,
            overlapSeconds: overlap,
            deletions: feed.tellsDeletions ? .marked(by: "deleted_at") : .unlisted)
    }

    /// A change takes effect at its commit, and has the time of its beginning.
    private static func changes(_ feed: Scenario.Feed) -> RailsChanges {
        RailsChanges(attribute: stampMember, deletions: feed.tellsDeletions ? .marked(by: "deleted_at") : .unlisted) {
            change in
            TimeInterval(change * 7 % (feed.commitSeconds + 1))
        }
    }

    private static func refusals(of record: JSONValue) -> [String: [String]] {
        guard case .object(let members) = record else { return [:] }
        let refused = members.filter { isRefused($0.value) || areRefused($0.value) }.keys
        return Dictionary(refused.map { ($0, ["is not taken"]) }, uniquingKeysWith: { $1 })
    }

    /// Whether records inside of another one are.
    private static func areRefused(_ value: JSONValue) -> Bool {
        if case .array(let list) = value { list.contains { !refusals(of: $0).isEmpty } } else { false }
    }

    private static func isRefused(_ value: JSONValue) -> Bool {
        if case .string(let text) = value { text.hasSuffix(refusedMark) } else { false }
    }

    /// Whether a change is one that the server never takes, where its dialect does not look itself.
    func refuses(_ change: OutgoingChange) -> Bool {
        guard case .memory = backend else { return false }
        if domain.followed.allSatisfy({ $0.path != change.entity.path }) { return true }
        guard change.kind != .delete,
            let sent = try? JSONValue(json: change.kind == .create ? change.body : change.changes)
        else { return false }
        return !Self.refusals(of: sent).isEmpty || breaksLinks(change, sent)
    }

    /// Whether a body is one that it breaks on.
    func breaks(on body: Data?) -> Bool {
        guard let body, !isMended.withLock({ $0 }) else { return false }
        return String(decoding: body, as: UTF8.self).contains(Self.breakingMark + "\"")
    }

    /// Whether it refuses anything.
    var hasRefusals: Bool { if case .firebase = backend { false } else { true } }

    /// The server as a device reaches it.
    func remote(through network: FaultyNetwork) -> any Remote {
        switch backend {
        case .memory(let remote): network.remote(ServerDoor(remote: remote, server: self))
        case .rails(let door):
            RESTRemote(
                door.server.url, client: network.client(DoorClient(client: door.server.client, server: self)),
                conventions: door.conventions, usesVersions: door.usesVersions, sendsEmbedded: door.sendsEmbedded,
                clock: door.clock)
        case .firebase(let server, let clock):
            FirebaseRemote(
                server.url, client: network.client(DoorClient(client: server.client, server: self)), clock: clock)
        }
    }

    // MARK: What it has

    /// An entity's records, by their identities as parts of an address; of those inside of others, as if they had a
    /// collection of their own.
    func records(of entity: DomainEntity) -> [(key: String, json: JSONValue)] {
        guard entity.container == nil else { return members(of: entity) }
        switch backend {
        case .memory(let remote):
            return remote.server.collections[entity.path]?.records.map { ($0.key, $0.json) } ?? []
        case .rails(let door):
            return door.server.records(of: entity.path).map { (Self.text($0[entity.identityKey] ?? .null), $0) }
        case .firebase(let server, _):
            guard case .object(let members) = server.value(at: entity.path) else { return [] }
            return members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    /// The keys of an entity's records as a device has them.
    func keys(of entity: DomainEntity) -> Set<String> { Set(records(of: entity).map { Self.storedKey($0.key) }) }

    /// A key as a device has it: UUIDs in lower case.
    static func storedKey(_ key: String) -> String { UUID(uuidString: key)?.uuidString.lowercased() ?? key }

    /// Whether a record was ever deleted.
    func hasDeleted(_ key: String, of entity: DomainEntity) -> Bool {
        changes.contains { change in
            change.kind == .deleted && change.path == entity.path && change.key.map(Self.storedKey) == key
        }
    }

    /// Everything that took effect, in order.
    var changes: [ServerChange] {
        switch backend {
        case .memory(let remote): remote.changes
        case .rails(let door): door.server.changes
        case .firebase(let server, _): server.changes
        }
    }

    /// A collection as a response has it.
    func body(of entity: DomainEntity) -> (json: JSONValue, shape: PayloadShape) {
        let records = records(of: entity)
        return switch backend {
        // The order counts if it has a record inside of two others (M16).
        case .memory: (.array(records.reversed().map(\.json)), .records)
        case .rails: (.array(records.map(\.json)), .records)
        case .firebase: (.object(JSONObject(records.map { ($0.key, $0.json) })), .map)
        }
    }

    var missingKeys: MissingKeys { if case .firebase = backend { .empty } else { .keep } }

    // MARK: What others do there

    func put(_ json: JSONValue, _ key: String, in entity: DomainEntity) {
        guard entity.container == nil else { return putMember(json, key, in: entity) }
        mirroring {
            set(json, key, in: entity)
        }
    }

    private func set(_ json: JSONValue, _ key: String, in entity: DomainEntity) {
        switch backend {
        case .memory(let remote): remote.set(json, id: key, in: entity.path)
        case .rails(let door): door.server.set(json, in: entity.path)
        case .firebase(let server, _): server.set(json, at: "\(entity.path)/\(key)")
        }
    }

    func edit(_ key: String, of entity: DomainEntity, _ members: JSONObject) {
        guard entity.container == nil else { return editMember(key, of: entity, members) }
        mirroring {
            change(key, of: entity, members)
        }
    }

    private func change(_ key: String, of entity: DomainEntity, _ members: JSONObject) {
        switch backend {
        case .memory(let remote): remote.edit(key, of: entity.path, members)
        case .rails(let door): door.server.edit(key, of: entity.path, members)
        case .firebase(let server, _): server.patch(members, at: "\(entity.path)/\(key)")
        }
    }

    func remove(_ key: String, from entity: DomainEntity) {
        guard entity.container == nil else { return removeMember(key, of: entity) }
        switch backend {
        case .memory(let remote): remote.remove(key, from: entity.path)
        case .rails(let door): door.server.remove(key, from: entity.path)
        case .firebase(let server, _): server.set(.null, at: "\(entity.path)/\(key)")
        }
    }

    /// Takes out of lists who is gone, as a server does that keeps links in a table of their own.
    func tidyLists() {
        for (join, owner, member) in domain.joins {
            guard let list = owner.lists.first(where: { $0.join == join }) else { continue }
            let known = Set(records(of: member).map(\.key))
            for (ownerKey, record) in records(of: owner) {
                let members = list.members(in: record)
                let kept = members.filter { known.contains(Self.text($0)) }
                if kept.count < members.count { edit(ownerKey, of: owner, [list.key: list.json(kept)]) }
            }
        }
    }

    /// Does something, and then writes into the lists of others what it has written into symmetric lists: as a server
    /// does that keeps each link in one row.
    func mirroring<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let count = changes.count
        defer { mirrorLists(since: count) }
        return try await body()
    }

    func mirroring(_ body: () -> Void) {
        let count = changes.count
        body()
        mirrorLists(since: count)
    }

    private func mirrorLists(since count: Int) {
        for change in changes.dropFirst(count) where change.kind != .deleted {
            guard let entity = domain.entity(at: change.path), let key = change.key else { continue }
            for list in entity.lists where list.join.isSymmetric && change.json[list.key] != nil {
                mirror(list, of: key, entity)
            }
        }
    }

    private func mirror(_ list: DomainEntity.List, of key: String, _ entity: DomainEntity) {
        let records = records(of: entity)
        guard let own = records.first(where: { $0.key == key })?.json, let identity = own[entity.identityKey] else {
            return
        }
        let members = Set(list.members(in: own).map(Self.text))
        for (other, record) in records where other != key {
            var others = list.members(in: record)
            let isListed = others.contains { Self.text($0) == key }
            // Who has a member of a to-one loses it.
            let isRival = list.join.isToOne && others.contains { members.contains(Self.text($0)) }
            guard members.contains(other) != isListed || isRival else { continue }
            if members.contains(other) {
                others.append(identity)
            } else {
                others.removeAll { Self.text($0) == key || isRival }
            }
            self.change(other, of: entity, [list.key: list.json(others)])
        }
    }

    static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        default: ""
        }
    }
}

extension SyncError {
    static let unreachable = SyncError(
        .network, reason: "the server does not respond", remedy: "Try again when it runs.")
}
