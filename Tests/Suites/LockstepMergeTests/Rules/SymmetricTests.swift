import LockstepStore
import LockstepSync
import RuntimeTestSupport
import ServerSamples
import Testing

/// Relationships that are their own inverse: if one record lists the other, the other lists the first.
@Suite("R3 Symmetric relationships")
struct SymmetricTests {
    private static let links = "SELECT person_id, friend_id FROM person_friends ORDER BY 1, 2"

    private static func people(_ friends: [Int: String]) -> String {
        let list = friends.sorted { $0.key < $1.key }.map {
            #"{"id": \#($0), "name": "P\#($0)", "friend_ids": \#($1)}"#
        }
        return "[\(list.joined(separator: ", "))]"
    }

    // MARK: Merging

    @Test(
        "R3 A list of one of two records links both, as two equal lists do",
        arguments: [[1: "[2]"], [1: "[2]", 2: "[1]"], [2: "[1]"]])
    func lists(friends: [Int: String]) async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(#"[{"id": 1, "name": "P1"}, {"id": 2, "name": "P2"}]"#, into: Person.self)
        let json = Self.people(friends)
        #expect(try await social.merge(json, into: Person.self).hasChanges)
        #expect(try await social.rows(Self.links) == ["1 2", "2 1"])
        #expect(try await social.merge(json, into: Person.self).hasChanges == false)
    }

    @Test("R3 A member that one list lacks is unlinked from both", arguments: [1, 2])
    func unlinked(by owner: Int) async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.people([1: "[2, 3]", 2: "[1]", 3: "[1]"]), into: Person.self)
        try await social.merge(Self.people([owner: owner == 1 ? "[3]" : "[]"]), into: Person.self)
        #expect(try await social.rows(Self.links) == ["1 3", "3 1"])
    }

    @Test("R3 M16 Of two lists that contradict each other, the later one counts, and nothing is written twice")
    func contradiction() async throws {
        let social = try RuleFixture(SocialSchema.self, "INSERT INTO person (id, name) VALUES (1, 'P1'), (2, 'P2')")
        let first = #"{"id": 1, "friend_ids": [2]}"#
        let second = #"{"id": 2, "friend_ids": []}"#
        try await social.merge("[\(first), \(second)]", into: Person.self)
        #expect(try social.rows(Self.links).isEmpty)
        try await social.merge("[\(second), \(first)]", into: Person.self)
        #expect(try social.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("R2 R3 A member that has not been received yet is linked from both ends when it comes")
    func later() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.people([1: "[2]"]), into: Person.self)
        try await social.merge(#"[{"id": 2, "name": "P2"}]"#, into: Person.self)
        try await social.typed.perform { context in
            let second = try #require(try Person.find(2, in: context))
            #expect(second.friends.map(\.id) == [1])
        }
    }

    @Test("R3 Each record has an order of its own, in which links that only others list come last, without a position")
    func ordered() async throws {
        let social = try TwoRoads(SocialSchema.self)
        let json = """
            [{"id": 1, "name": "P1", "favorite_ids": [3, 2]}, {"id": 2, "name": "P2"}, {"id": 3, "name": "P3"},
             {"id": 4, "name": "P4", "favorite_ids": [3, 1]}]
            """
        try await social.merge(json, into: Person.self)
        #expect(
            try await social.rows(Self.favorites) == [
                "1 3 0", "1 2 1", "1 4 NULL", "2 1 NULL", "3 1 NULL", "3 4 NULL", "4 3 0", "4 1 1",
            ])
    }

    private static let favorites = """
        SELECT person_id, favorite_id, favorites_position FROM person_favorites
        ORDER BY person_id, favorites_position IS NULL, favorites_position, favorite_id
        """

    @Test(
        "R3 M11 Links that a record's own list lacks and later lists state come last, whatever the batches",
        arguments: [1, .max])
    func restated(batchRecordLimit: Int) async throws {
        let social = try RuleFixture(SocialSchema.self)
        let people = (1...5).map { #"{"id": \#($0), "name": "P\#($0)"}"# }.joined(separator: ", ")
        try await social.merge("[\(people)]", into: Person.self)
        try await social.merge(#"[{"id": 1, "favorite_ids": [3, 2]}]"#, into: Person.self)
        let json = """
            [{"id": 1, "favorite_ids": [5]}, {"id": 4, "favorite_ids": [1]}, {"id": 3, "favorite_ids": [1]},
             {"id": 4, "favorite_ids": []}, {"id": 4, "favorite_ids": [1]}]
            """
        try await social.mergeOnce(json, into: Person.self) { $0.batchRecordLimit = batchRecordLimit }
        #expect(try social.rows(Self.favorites) == ["1 5 0", "1 3 -", "1 4 -", "3 1 0", "4 1 0", "5 1 -"])
    }

    @Test("R3 M11 A member that has left a list and has come back has no position in it", arguments: [1, .max])
    func leftAndBack(batchRecordLimit: Int) async throws {
        let social = try RuleFixture(
            SocialSchema.self, "INSERT INTO person (id, name) VALUES (1, 'P1'), (2, 'P2'), (3, 'P3')")
        let json = """
            [{"id": 1, "favorite_ids": [2, 3]}, {"id": 2, "favorite_ids": []}, {"id": 2, "favorite_ids": [1]}]
            """
        try await social.mergeOnce(json, into: Person.self) { $0.batchRecordLimit = batchRecordLimit }
        #expect(try social.rows(Self.favorites) == ["1 3 1", "1 2 -", "2 1 0", "3 1 -"])
        #expect(try await social.mergeOnce(json, into: Person.self).hasChanges == false)
    }

    @Test("R3 Both records of a link count as updated, listed or not")
    func counts() async throws {
        let social = try TwoRoads(SocialSchema.self)
        try await social.merge(Self.people([1: "[]", 2: "[]", 3: "[]"]), into: Person.self)
        let linked = try await social.merge(#"[{"id": 1, "friend_ids": [2, 9]}, {"id": 2}]"#, into: Person.self)
        #expect(linked[Person.self].updated == 2 && linked[Person.self].unchanged == 0)
        let unlinked = try await social.merge(#"[{"id": 1, "friend_ids": []}]"#, into: Person.self)
        #expect(unlinked[Person.self].updated == 2)
    }

    // MARK: In a context

    @Test("A link is set from one end, and both ends show it at once")
    func context() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let people = (1...3).map { Person(id: $0, name: "P\($0)", context: context) }
            people[0].friends.insert(people[1])
            people[2].friends.insert(people[0])
            people[2].friends.insert(people[2])
            #expect(people[1].friends.map(\.id) == [1])
            #expect(Set(people[0].friends.map(\.id)) == [2, 3])
            #expect(people[2].friends.map(\.id).sorted() == [1, 3])
            try context.save()
            people[1].friends.remove(people[0])
            #expect(people[0].friends.map(\.id) == [3])
            try context.save()
        }
        #expect(try store.rows(Self.links) == ["1 3", "3 1", "3 3"])
        try await store.perform { context in
            let third = try #require(try Person.find(3, in: context))
            context.delete(third)
            try context.save()
            let first = try #require(try Person.find(1, in: context))
            #expect(first.friends.isEmpty)
        }
        #expect(try store.rows(Self.links).isEmpty)
    }

    @Test("Undo and redo apply to both ends")
    func undo() async throws {
        let store = try Store(SocialSchema.self, at: .inMemory)
        try await store.perform { context in
            let people = (1...2).map { Person(id: $0, name: "P\($0)", context: context) }
            try context.save()
            let undo = context.enableUndo()
            people[0].friends.insert(people[1])
            undo.undo()
            #expect(people[0].friends.isEmpty && people[1].friends.isEmpty)
            undo.redo()
            #expect(people[1].friends.map(\.id) == [1])
            try context.save()
        }
        #expect(try store.rows(Self.links) == ["1 2", "2 1"])
    }

    // MARK: Local changes

    /// Of a server's friends 1 and 2, the first has 3 in place of 2 now.
    private func changedLocally() async throws -> RuleFixture {
        let social = try RuleFixture(SocialSchema.self)
        try await social.merge(Self.people([1: "[2]", 2: "[1]", 3: "[]"]), into: Person.self)
        try await social.store.perform { context in
            let people = try context.fetch(Person.all()).sorted { $0.id < $1.id }
            people[0].friends.remove(people[1])
            people[0].friends.insert(people[2])
            try context.save()
        }
        return social
    }

    @Test("C2 A link that was added or removed locally stays at both ends, whatever the server lists")
    func local() async throws {
        let social = try await changedLocally()
        try await social.mergeOnce(Self.people([1: "[2]", 2: "[1]", 3: "[]"]), into: Person.self)
        #expect(try social.rows(Self.links) == ["1 3", "3 1"])
        try await social.merge(Self.people([1: "[3]", 2: "[]", 3: "[1]"]), into: Person.self)
        #expect(try social.rows(Self.links) == ["1 3", "3 1"])
    }

    @Test("C2 The same in an ordered relationship, whose lists change in other respects, too", arguments: [1, .max])
    func localInOrder(batchRecordLimit: Int) async throws {
        let social = try RuleFixture(SocialSchema.self)
        func merge(_ favorites: [Int: String]) async throws {
            let people = favorites.sorted { $0.key < $1.key }.map {
                #"{"id": \#($0), "name": "P\#($0)", "favorite_ids": \#($1)}"#
            }
            try await social.mergeOnce("[\(people.joined(separator: ", "))]", into: Person.self) {
                $0.batchRecordLimit = batchRecordLimit
            }
        }
        try await merge([1: "[2]", 2: "[1]", 3: "[]", 4: "[]"])
        try await social.store.perform { context in
            let people = try context.fetch(Person.all()).sorted { $0.id < $1.id }
            people[0].favorites.remove(people[1])
            people[0].favorites.insert(people[2])
            try context.save()
        }
        try await merge([1: "[2, 4]", 2: "[4, 1]", 3: "[4]", 4: "[3, 2, 1]"])
        let links = "SELECT person_id, favorite_id FROM person_favorites ORDER BY 1, 2"
        #expect(try social.rows(links) == ["1 3", "1 4", "2 4", "3 1", "3 4", "4 1", "4 2", "4 3"])
    }

    @Test("C2 A link stays as long as one of its two directions is pending")
    func oneDirection() async throws {
        let social = try await changedLocally()
        func merge(_ friends: [Int: String]) async throws {
            // The order of a list is a part of its owner, whose change is confirmed together with it.
            let people = friends.sorted { $0.key < $1.key }.map {
                #"{"id": \#($0), "name": "P\#($0)", "friend_ids": \#($1), "favorite_ids": []}"#
            }
            try await social.mergeOnce("[\(people.joined(separator: ", "))]", into: Person.self)
        }
        try await merge([1: "[3]"])
        #expect(try await social.store.outbox.pending().map(\.record).sorted() == ["2", "3"])
        // Somebody else removes the one link and adds the other before the rest is sent.
        try await merge([1: "[2]"])
        #expect(try social.rows(Self.links) == ["1 3", "3 1"])
        try await merge([2: "[]", 3: "[1]"])
        #expect(try social.rows(Self.links) == ["1 3", "3 1"])
        #expect(try await social.store.outbox.pending().isEmpty)
        try await merge([1: "[2]"])
        #expect(try social.rows(Self.links) == ["1 2", "2 1"])
    }

    @Test("Discarding a change of one record undoes the link at both ends")
    func discard() async throws {
        let social = try await changedLocally()
        let changes = try await social.store.outbox.pending()
        #expect(changes.count == 3)
        let first = try #require(changes.first { $0.record == "1" })
        try await social.store.outbox.discard(first)
        #expect(try social.rows(Self.links) == ["1 2", "2 1"])
        #expect(try await social.store.outbox.pending().isEmpty)
    }
}
