import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import ServerSamples
import Testing

/// To-one relationships that are their own inverse: each record has at most one partner, and is the partner's partner.
@Suite("R3 Symmetric to-one relationships")
struct SymmetricToOneTests {
    private static let links = "SELECT dancer_id, partner_id FROM dancer_partner ORDER BY 1, 2"

    /// The JSON of dancers, by their partners.
    private static func dancers(_ partners: [Int: String]) -> String {
        let list = partners.sorted { $0.key < $1.key }.map {
            #"{"id": \#($0), "name": "D\#($0)", "partner_id": \#($1)}"#
        }
        return "[\(list.joined(separator: ", "))]"
    }

    // MARK: Merging

    @Test(
        "R3 The identity in one of two records links both, as in both records it does",
        arguments: [[1: "2"], [1: "2", 2: "1"], [2: "1"]])
    func links(partners: [Int: String]) async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(#"[{"id": 1, "name": "D1"}, {"id": 2, "name": "D2"}]"#, into: Dancer.self)
        let json = Self.dancers(partners)
        #expect(try await social.merge(json, into: Dancer.self).hasChanges)
        #expect(try await social.rows(Self.links) == ["1 2", "2 1"])
        #expect(try await social.merge(json, into: Dancer.self).hasChanges == false)
    }

    @Test("R4 M16 A link to an embedded record that is skipped waits for it, in JSON as in a representation")
    func skipped() async throws {
        let social = try TwoRoads(SocialSchema.self)
        let json = #"[{"id": 1, "name": "D1", "partner": {"id": 2}}]"#
        #expect(try await social.merge(json, into: Dancer.self).skipped.count == 1)
        #expect(try await social.rows(Self.links) == ["1 2", "2 1"])
        #expect(try await social.merge(json, into: Dancer.self).hasChanges == false)
        try await social.merge(#"[{"id": 2, "name": "D2"}]"#, into: Dancer.self)
        #expect(try await social.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("M9 R4 So does one to an embedded record that may not be inserted")
    func notInserted() async throws {
        let social = try TwoRoads(SocialSchema.self)
        let json = #"[{"id": 1, "name": "D1", "partner": {"id": 2, "name": "D2"}}]"#
        try await social.merge(json, into: Dancer.self) { $0.nested = [.update, .delete] }
        #expect(try await social.rows("SELECT id FROM dancer") == ["1"])
        #expect(try await social.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("R3 Null in one of two records unlinks both", arguments: [1, 2])
    func unlinked(by owner: Int) async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.dancers([1: "2", 2: "1"]), into: Dancer.self)
        try await social.merge(Self.dancers([owner: "null"]), into: Dancer.self)
        #expect(try await social.rows(Self.links).isEmpty)
    }

    @Test("M1 A missing key says nothing")
    func missing() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.dancers([1: "2", 2: "1"]), into: Dancer.self)
        #expect(try await social.merge(#"[{"id": 2, "name": "D2"}]"#, into: Dancer.self).hasChanges == false)
        #expect(try await social.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("R3 A new link of one record takes the place of the former links of both")
    func replaced() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.dancers([1: "2", 2: "1", 3: "4", 4: "3"]), into: Dancer.self)
        let summary = try await social.merge(Self.dancers([2: "3"]), into: Dancer.self)
        #expect(try await social.rows(Self.links) == ["2 3", "3 2"])
        #expect(summary[Dancer.self].updated == 4)
    }

    /// Merges records that state these partners into a store in which 2 and 5 are linked.
    private func links(after statements: [String], _ change: (inout MergeOptions) -> Void) async throws -> [String] {
        let social = try RuleFixture(SocialSchema.self)
        let json = Self.dancers([1: "null", 2: "5", 3: "null", 4: "null", 5: "2"])
        try await social.mergeOnce(json, into: Dancer.self)
        let records = statements.map { statement in
            let parts = statement.components(separatedBy: ": ")
            return #"{"id": \#(parts[0]), "partner_id": \#(parts[1])}"#
        }
        try await social.mergeOnce("[\(records.joined(separator: ", "))]", into: Dancer.self, change)
        return try social.rows(Self.links)
    }

    @Test(
        "R3 M11 M16 Of several statements about a record, the last counts, whatever the batches",
        arguments: [1, 2, .max])
    func contradictions(batchRecordLimit: Int) async throws {
        let stories: [([String], [String])] = [
            (["1: 2", "2: null"], []), (["2: null", "1: 2"], ["1 2", "2 1"]),
            (["1: 2", "3: 2"], ["2 3", "3 2"]), (["3: 2", "1: 2"], ["1 2", "2 1"]),
            (["1: 2", "2: 3"], ["2 3", "3 2"]), (["2: 3", "1: 2"], ["1 2", "2 1"]),
            (["1: 2", "1: 3"], ["1 3", "3 1"]), (["1: 2", "3: 2", "3: null"], []),
            (["1: 2", "3: 1"], ["1 3", "3 1"]), (["1: 2", "1: null"], []), (["1: null"], ["2 5", "5 2"]),
        ]
        for (statements, links) in stories {
            let found = try await self.links(after: statements) { $0.batchRecordLimit = batchRecordLimit }
            #expect(found == links, "\(statements)")
        }
    }

    @Test("M3 M16 Of two copies within a top-level record, the first takes no partner from anyone")
    func copies() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.dancers([3: "4", 4: "3"]), into: Dancer.self)
        let json = """
            [{"id": 1, "name": "D1", "partner_id": 3, "partner": \
            {"id": 2, "name": "D2", "partner": {"id": 1, "name": "D1", "partner_id": 2}}}]
            """
        try await social.merge(json, into: Dancer.self)
        #expect(try await social.rows(Self.links) == ["1 2", "2 1", "3 4", "4 3"])
    }

    @Test("R3 A record whose link a later record reverses is unchanged, although it took the place of another")
    func reversed() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.dancers([1: "null", 2: "3", 3: "2"]), into: Dancer.self)
        let summary = try await social.merge(Self.dancers([1: "2", 2: "null"]), into: Dancer.self)
        #expect(try await social.rows(Self.links).isEmpty)
        #expect((summary[Dancer.self].updated, summary[Dancer.self].unchanged) == (2, 1))
    }

    @Test("M9 A merge that only inserts links new records, and takes no partner from one that has another")
    func insertOnly() async throws {
        let social = try RuleFixture(SocialSchema.self)
        try await social.mergeOnce(Self.dancers([1: "2", 2: "1", 3: "null"]), into: Dancer.self)
        try await social.mergeOnce(Self.dancers([5: "1", 6: "3"]), into: Dancer.self) { $0.records = .insert }
        #expect(try social.rows(Self.links) == ["1 2", "2 1", "3 6", "6 3"])
    }

    @Test("R2 R3 A partner that has not been received yet is linked from both ends when it comes")
    func later() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.dancers([1: "2"]), into: Dancer.self)
        try await social.typed.perform { context in
            let dancer = try #require(try Dancer.find(1, in: context))
            #expect(dancer.partner == nil)
        }
        try await social.merge(#"[{"id": 2, "name": "D2"}]"#, into: Dancer.self)
        try await social.typed.perform { context in
            let dancer = try #require(try Dancer.find(2, in: context))
            #expect(dancer.partner?.id == 1)
        }
    }

    @Test("R1 The partner's record beside the key, or in place of it, is merged and linked")
    func object() async throws {
        let social = try TwoRoads(SocialSchema.self)
        let json = #"[{"id": 1, "name": "D1", "partner": {"id": 2, "name": "D2"}}]"#
        try await social.merge(json, into: Dancer.self)
        #expect(try await social.rows(Self.links) == ["1 2", "2 1"])
        try await social.merge(#"[{"id": 1, "partner_id": null}]"#, into: Dancer.self)
        #expect(try await social.rows(Self.links).isEmpty)
        try await social.merge(
            #"[{"id": 1, "name": "D1", "partner_id": 2, "partner": {"id": 2, "name": "Two"}}]"#, into: Dancer.self)
        #expect(try await social.rows(Self.links) == ["1 2", "2 1"])
        #expect(try await social.rows("SELECT name FROM dancer ORDER BY id") == [#""D1""#, #""Two""#])
    }

    @Test("M4 A value that is no identity is reported, and the link stays", arguments: [#""x""#, "[2]", "{}"])
    func invalid(value: String) async throws {
        let social = try RuleFixture(SocialSchema.self)
        try await social.merge(Self.dancers([1: "2", 2: "1"]), into: Dancer.self)
        let summary = try await social.mergeOnce(Self.dancers([1: value]), into: Dancer.self)
        #expect(summary.skipped.map(\.keyPath) == ["partner_id"])
        #expect(try social.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("R3 Partners whose identities the server gives are found by them")
    func remoteIdentities() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(
            #"[{"id": 1, "name": "S1", "partner_id": 2}, {"id": 2, "name": "S2"}]"#, into: Skater.self)
        try await social.typed.perform { context in
            let skaters = try context.fetch(Skater.all()).sorted { $0.id ?? 0 < $1.id ?? 0 }
            #expect(skaters[1].partner === skaters[0])
            #expect(skaters[0].representation.partnerID == 2)
        }
    }

    // MARK: In a context

    @Test("A link is set from one end, both ends show it at once, and former partners have none")
    func context() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let dancers = (1...4).map { Dancer(id: $0, name: "D\($0)", context: context) }
            dancers[0].partner = dancers[1]
            dancers[2].partner = dancers[3]
            #expect(dancers.map { $0.partner?.id } == [2, 1, 4, 3])
            dancers[1].partner = dancers[2]
            #expect(dancers.map { $0.partner?.id } == [nil, 3, 2, nil])
            try context.save()
            #expect(dancers.map { $0.partner?.id } == [nil, 3, 2, nil])
            dancers[2].partner = nil
            dancers[3].partner = dancers[0]
            #expect(dancers.map { $0.partner?.id } == [4, nil, nil, 1])
            try context.save()
        }
        #expect(try store.rows(Self.links) == ["1 4", "4 1"])
        try await store.perform { context in
            context.delete(try #require(try Dancer.find(4, in: context)))
            try context.save()
            let dancer = try #require(try Dancer.find(1, in: context))
            #expect(dancer.partner == nil)
        }
        #expect(try store.rows(Self.links).isEmpty)
    }

    @Test("Undo and redo bring former partners back")
    func undo() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let dancers = (1...3).map { Dancer(id: $0, name: "D\($0)", context: context) }
            dancers[0].partner = dancers[1]
            try context.save()
            let undo = context.enableUndo()
            dancers[2].partner = dancers[1]
            #expect(dancers.map { $0.partner?.id } == [nil, 3, 2])
            undo.undo()
            #expect(dancers.map { $0.partner?.id } == [2, 1, nil])
            undo.redo()
            #expect(dancers.map { $0.partner?.id } == [nil, 3, 2])
            try context.save()
        }
        #expect(try store.rows(Self.links) == ["2 3", "3 2"])
    }

    @Test("Of two contexts that link the same record, the one that saves last decides")
    @MainActor
    func twoContexts() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        let context = store.mainContext
        let dancers = (1...3).map { Dancer(id: $0, name: "D\($0)", context: context) }
        try await context.save()
        dancers[0].partner = dancers[1]
        try await store.perform { other in
            let dancers = try other.fetch(Dancer.all()).sorted { $0.id < $1.id }
            dancers[0].partner = dancers[2]
            try other.save()
        }
        try context.refreshAll()
        #expect(dancers.map { $0.partner?.id } == [2, 1, nil])
        try await context.save()
        #expect(dancers.map { $0.partner?.id } == [2, 1, nil])
        #expect(try store.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("A child context gives its links to its parent, which has at most one of each record")
    func child() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let dancers = (1...3).map { Dancer(id: $0, name: "D\($0)", context: context) }
            try context.save()
            let child = context.makeChild()
            let copies = try child.fetch(Dancer.all()).sorted { $0.id < $1.id }
            copies[0].partner = copies[1]
            dancers[2].partner = dancers[1]
            try child.save()
            #expect(dancers.map { $0.partner?.id } == [2, 1, nil])
            try context.save()
        }
        #expect(try store.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("Discarding the changes of a record in a context discards its links in both directions")
    func refresh() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let dancers = (1...3).map { Dancer(id: $0, name: "D\($0)", context: context) }
            dancers[0].partner = dancers[1]
            try context.save()
            dancers[0].partner = dancers[2]
            try context.refresh(dancers[0], keepingChanges: false)
            #expect(dancers.map { $0.partner?.id } == [2, 1, nil])
            try context.save()
        }
        #expect(try store.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("A new partner that is deleted before it is saved hides no stored link")
    func deletedUnsaved() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let dancers = (1...2).map { Dancer(id: $0, name: "D\($0)", context: context) }
            try context.save()
            let new = Dancer(id: 9, name: "D9", partner: dancers[0], context: context)
            context.delete(new)
            #expect(dancers[0].partner == nil)
            dancers[1].partner = dancers[0]
            try context.save()
            try context.refreshAll()
            #expect(dancers.map { $0.partner?.id } == [2, 1])
        }
        #expect(try store.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("A record of another context is refused, and the partner stays")
    @MainActor
    func otherContext() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        let context = store.mainContext
        let dancers = (1...2).map { Dancer(id: $0, name: "D\($0)", context: context) }
        dancers[0].partner = dancers[1]
        try await context.save()
        let other = context.makeChild()
        dancers[0].partner = Dancer(id: 3, name: "D3", context: other)
        #expect(throws: StoreError.self) { try context.save() }
        #expect(dancers.map { $0.partner?.id } == [2, 1])
    }

    @Test("A representation has the partner's identity, is equal to its record, and sets the partner")
    func representations() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let dancers = (1...3).map { Dancer(id: $0, name: "D\($0)", context: context) }
            dancers[0].partner = dancers[1]
            var value = dancers[0].representation
            #expect(value.partnerID == 2 && dancers[0] == value)
            value.partnerID = 3
            #expect(dancers[0] != value)
            dancers[0].update(from: value)
            #expect(dancers.map { $0.partner?.id } == [3, nil, 1])
            value.partnerID = nil
            dancers[0].update(from: value)
            #expect(dancers.map { $0.partner?.id } == [nil, nil, nil])
            let json = String(decoding: try JSONEncoder().encode(dancers[0].representation), as: UTF8.self)
            #expect(json.contains(#""partner_id":null"#))
        }
    }

    @Test("A partner that the server has not named yet is left out of a representation")
    func unnamedPartner() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let known = Skater(id: 1, name: "S1", context: context)
            known.partner = Skater(name: "new", context: context)
            var value = known.representation
            #expect(value.partnerID == nil && value.omits(.partnerID))
            known.update(from: value)
            #expect(known.partner?.name == "new")
            value.partnerID = 99
            known.update(from: value)
            #expect(known.partner?.name == "new", "a record that is not there cannot be linked")
            let other = Skater(id: 2, name: "S2", context: context)
            value.partnerID = 2
            known.update(from: value)
            #expect(known.partner === other)
            value.partnerID = nil
            known.update(from: value)
            #expect(known.partner == nil)
        }
    }

    // MARK: Local changes

    /// Of a server's partners 1 and 2, the first has 3 in place of 2 now.
    private func changedLocally() async throws -> RuleFixture {
        let social = try RuleFixture(SocialSchema.self)
        try await social.merge(Self.dancers([1: "2", 2: "1", 3: "null"]), into: Dancer.self)
        try await social.store.perform { context in
            let dancers = try context.fetch(Dancer.all()).sorted { $0.id < $1.id }
            dancers[0].partner = dancers[2]
            try context.save()
        }
        return social
    }

    @Test(
        "C2 A partner that was set locally stays, whatever the server says of the two or of others",
        arguments: [
            [1: "2", 2: "1"], [1: "null", 3: "null"], [3: "4", 4: "3"], [4: "3"], [1: "4", 4: "1"], [4: "1"],
        ])
    func local(partners: [Int: String]) async throws {
        let social = try await changedLocally()
        try await social.mergeOnce(Self.dancers([4: "null"]), into: Dancer.self)
        try await social.mergeOnce(Self.dancers(partners), into: Dancer.self)
        #expect(try social.rows(Self.links) == ["1 3", "3 1"])
        try await social.merge(Self.dancers([1: "3", 2: "null", 3: "1"]), into: Dancer.self)
        #expect(try social.rows(Self.links) == ["1 3", "3 1"])
        #expect(try await social.store.outbox.pending().isEmpty)
        try await social.merge(Self.dancers([4: "3"]), into: Dancer.self)
        #expect(try social.rows(Self.links) == ["3 4", "4 3"])
    }

    @Test(
        "C2 A discarded change leads back to the partner that the server has meanwhile",
        arguments: [[1: "4", 4: "1"], [1: "4"]])
    func base(partners: [Int: String]) async throws {
        let social = try await changedLocally()
        try await social.mergeOnce(Self.dancers([4: "null"]), into: Dancer.self)
        try await social.mergeOnce(Self.dancers(partners), into: Dancer.self)
        #expect(try social.rows(Self.links) == ["1 3", "3 1"])
        let changes = try await social.store.outbox.pending()
        try await social.store.outbox.discard(try #require(changes.first { $0.record == "1" }))
        #expect(try social.rows(Self.links) == ["1 4", "4 1"])
    }

    @Test(
        "Discarding the changes of a link in any order leads back to the former partners",
        arguments: [["1"], ["3"], ["2", "1"], ["2", "3"], ["3", "2", "1"], ["1", "2", "3"]])
    func discard(records: [String]) async throws {
        let social = try await changedLocally()
        for record in records {
            let change = try await social.store.outbox.pending().first { $0.record == record }
            if let change { try await social.store.outbox.discard(change) }
        }
        #expect(try social.rows(Self.links) == ["1 2", "2 1"])
        #expect(try await social.store.outbox.pending().isEmpty)
    }

    @Test("So does discarding all, whichever record was changed first")
    func discardAll() async throws {
        let social = try RuleFixture(SocialSchema.self)
        try await social.merge(Self.dancers([1: "2", 2: "1", 3: "null"]), into: Dancer.self)
        try await social.store.perform { context in
            let dancers = try context.fetch(Dancer.all()).sorted { $0.id < $1.id }
            (dancers[0].name, dancers[2].name) = ("A", "C")
            try context.save()
            dancers[0].partner = dancers[2]
            try context.save()
        }
        try await social.store.outbox.discardAll()
        #expect(try social.rows(Self.links) == ["1 2", "2 1"])
        #expect(try await social.store.outbox.pending().isEmpty)
    }

    @Test("Discarding a change of which the server has confirmed a part leaves no half of a link", arguments: 1...3)
    func discardOfPart(confirmed: Int) async throws {
        let social = try await changedLocally()
        let server = [1: "3", 2: "null", 3: "1"]
        try await social.mergeOnce(Self.dancers([confirmed: server[confirmed] ?? ""]), into: Dancer.self)
        for change in try await social.store.outbox.pending() { try await social.store.outbox.discard(change) }
        let links = try social.rows(Self.links)
        #expect(links == ["1 2", "2 1"] || links.isEmpty || links == ["1 3", "3 1"], "\(links)")
        #expect(try await social.store.outbox.pending().isEmpty)
    }

    @Test("Discarding the creation of a partner brings the former one back")
    func discardOfCreation() async throws {
        let social = try RuleFixture(SocialSchema.self)
        try await social.merge(Self.dancers([1: "2", 2: "1"]), into: Dancer.self)
        try await social.store.perform { context in
            let dancer = try #require(try Dancer.find(1, in: context))
            dancer.partner = Dancer(id: 7, name: "D7", context: context)
            try context.save()
        }
        let changes = try await social.store.outbox.pending()
        try await social.store.outbox.discard(try #require(changes.first { $0.record == "7" }))
        #expect(try social.rows(Self.links) == ["1 2", "2 1"])
        #expect(try await social.store.outbox.pending().isEmpty)
    }

    @Test("P4 The partner is sent as one identity, or null, with each record whose partner has changed")
    func push() async throws {
        let remote = MemoryRemote()
        for id in 1...3 { remote.set(["id": .integer(Int64(id)), "name": "D"], id: "\(id)", in: "/dancers") }
        let store = try Store(SocialSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, clock: ManualClock(), random: { 0.5 })
        try await sync.pull(Dancer.self)
        func link(_ id: Int, _ other: Int) async throws {
            try await store.perform { context in
                try #require(try Dancer.find(id, in: context)).partner = try Dancer.find(other, in: context)
                try context.save()
            }
            try await sync.push()
        }
        func partners() -> [JSONValue] { remote.records(of: "/dancers").map { $0["partner_id"] ?? "missing" } }
        try await link(1, 2)
        #expect(partners() == [2, 1, "missing"])
        try await link(3, 2)
        #expect(partners() == [.null, 3, 2])
        #expect(remote.log.compactMap(\.changes).allSatisfy { $0["name"] == nil })
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P4 A partner that the server has not named yet is sent first, and its identity then")
    func pushOfNew() async throws {
        let remote = MemoryRemote()
        let store = try Store(SocialSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, clock: ManualClock(), random: { 0.5 })
        try await store.perform { context in
            let first = Skater(name: "first", context: context)
            Skater(name: "second", partner: first, context: context)
            try context.save()
        }
        try await sync.push()
        let records = remote.records(of: "/skaters")
        #expect(records.count == 2)
        #expect(records[0]["partner_id"] == records[1]["id"] && records[1]["partner_id"] == records[0]["id"])
        #expect(try await store.outbox.pending().isEmpty)
    }
}
