import Foundation
import LockstepCoreData
import LockstepJSON
import LockstepStore
import TestSupport
import Testing

@testable import ImportedModels

@Suite("The rows of a Core Data store become records")
struct CopyTests {
    @Test("Every type")
    func types() async throws {
        try await Fixture.with("Types", TypesSchema.self) { fixture in
            let copy = try await fixture.copy(.types)
            #expect(copy.entities["Sample"]?.copied == 3)
            #expect(copy.isComplete, "\(copy)")
            try await fixture.store.perform { context in
                let sample = try #require(try context.find(Sample.self, identity(1)))
                #expect(sample.active)
                #expect(sample.amount == 12.5)
                #expect(sample.born == Date(timeIntervalSinceReferenceDate: 700_000_000.25))
                #expect(sample.count16 == 9)
                #expect(sample.count32 == -5)
                #expect(sample.count64 == 9_007_199_254_740_993)
                #expect(sample.home?.absoluteString == "https://example.com/a?b=c")
                #expect(try sample.large?.data() == Data("inline".utf8))
                #expect(sample.level == 0.1)
                #expect(sample.name == "Größe")
                #expect(sample.ratio == 0.25)
                #expect(sample.small == Data([0, 1, 255]))

                let second = try #require(try context.find(Sample.self, identity(2)))
                #expect(!second.active)
                #expect(second.amount == 3)
                #expect(try second.large?.data() == Data(repeatElement("external", count: 1000).joined().utf8))

                // What has no value has the default of the schema if it is required, and none otherwise.
                let third = try #require(try context.find(Sample.self, identity(3)))
                #expect(third.active)
                #expect(third.level == 1.5)
                #expect(third.count64 == nil)
                #expect(third.born == nil)
                #expect(third.amount == Decimal(string: "0.12345678901234568"))
            }
        }
    }

    @Test("A tree of entities in one table, with links to any of them")
    func inheritance() async throws {
        try await Fixture.with("Inheritance", InheritanceSchema.self) { fixture in
            let copy = try await fixture.copy(.inheritance)
            #expect(copy.isComplete, "\(copy)")
            #expect(copy.entities.mapValues(\.copied) == ["Animal": 1, "Cat": 1, "Dog": 1, "Person": 1, "Toy": 4])
            try await fixture.store.perform { context in
                let person = try #require(try context.find(Person.self, "p"))
                #expect(person.createdAt == Date(timeIntervalSinceReferenceDate: 0))
                #expect(person.animals.map(\.name) == ["Beast"])
                #expect(person.animalsCat.map(\.lives) == [7])
                #expect(person.animalsDog.map(\.uuid) == ["d"])
                let toys = try context.fetch(Toy.order(\.name))
                #expect(toys.map(\.name) == ["Ball", "Bone", "Mouse", "Nobody's"])
                #expect(toys.map { $0.animalDog?.name } == ["Rex", nil, nil, nil])
                #expect(toys.map { $0.animal?.name } == [nil, "Beast", nil, nil])
                #expect(toys.map { $0.animalCat?.name } == [nil, nil, "Tom", nil])
                #expect(Set(toys.map(\.localID)).count == 4)
            }
        }
    }

    @Test("Ordered, many-to-many, symmetric and one-way links")
    func links() async throws {
        try await Fixture.with("Links", LinksSchema.self) { fixture in
            let copy = try await fixture.copy(.links)
            #expect(copy.isComplete, "\(copy)")
            #expect(copy.joinedLinks == 6)
            try await fixture.store.perform { context in
                let ada = try #require(try context.find(Author.self, 1))
                let bob = try #require(try context.find(Author.self, 2))
                #expect(ada.books.map(\.title) == ["Two", "One"])
                #expect(bob.books.map(\.title) == ["Three"])
                #expect(ada.passport.number == "A1")
                #expect(ada.friends.map(\.name) == ["Bob"])
                #expect(bob.friends.map(\.name) == ["Ada"])
                let one = try #require(try context.only(Book.filter { $0.title == "One" }))
                #expect(try Set(one.tags.map(\.identifier)) == [identity(1), identity(2)])
                let two = try #require(try context.only(Book.filter { $0.title == "Two" }))
                #expect(Set(one.related.map(\.title)) == ["Two", "Three"])
                #expect(two.bookOfRelated.map(\.title) == ["One"])
            }
        }
    }

    @Test("A tree, a network, both ends of a one-to-one relationship, and an order at both ends")
    func circles() async throws {
        try await Fixture.with("Circles", CirclesSchema.self) { fixture in
            let copy = try await fixture.copy(.circles)
            #expect(copy.isComplete, "\(copy)")
            #expect(copy.joinedLinks == 9)
            try await fixture.store.perform { context in
                let root = try #require(try context.find(Folder.self, "root"))
                #expect(root.children.map(\.id) == ["b", "a"])
                #expect(root.children.map { $0.children.map(\.id) } == [[], ["a1"]])
                #expect(root.parent == nil)
                let loop = try #require(try context.find(Folder.self, "loop"))
                #expect(loop.parent === loop)

                let ann = try #require(try context.find(Member.self, "ann"))
                let bob = try #require(try context.find(Member.self, "bob"))
                #expect(Set(ann.followers.map(\.id)) == ["bob", "cy"])
                #expect(ann.following.map(\.id) == ["bob"])
                #expect(bob.followers.map(\.id) == ["ann"])
                #expect(bob.following.map(\.id) == ["ann"])
                #expect([ann.spouse?.id, bob.spouse?.id] == ["bob", "ann"])
                #expect(try context.find(Member.self, "cy")?.spouse == nil)
                #expect([ann.card?.id, bob.card?.id] == ["card 2", "card 1"])
                #expect(try context.find(Card.self, "card 1")?.member === bob)
                #expect(try context.find(Card.self, "nobody's")?.member == nil)

                let playlists = try context.fetch(Playlist.order(\.id))
                #expect(playlists.map { $0.songs.map(\.id) } == [["y", "z", "x"], ["x", "y"]])
                let songs = try context.fetch(Song.order(\.id))
                #expect(
                    songs.map { $0.playlists.map(\.id) } == [["second", "first"], ["first", "second"], ["first"]])
            }
        }
    }

    @Test("A join table is found from either end", arguments: [["Playlist", "Song"], ["Song", "Playlist"]])
    func ends(_ order: [String]) async throws {
        try await Fixture.with("Circles", CirclesSchema.self) { fixture in
            let entities = Dictionary(uniqueKeysWithValues: CoreDataMap.circles.entities.map { ($0.name, $0) })
            _ = try await fixture.copy(CoreDataMap(entities: order.compactMap { entities[$0] }))
            let songs = try await fixture.store.perform { context in
                try context.find(Playlist.self, "first")?.songs.map(\.id)
            }
            #expect(songs == ["y", "z", "x"])
        }
    }

    @Test("Archives, property lists and JSON of transformable attributes")
    func transformables() async throws {
        try await Fixture.with("Transformables", TransformablesSchema.self) { fixture in
            let copy = try await fixture.copy(.transformables)
            #expect(copy.entities["Drawing"]?.copied == 3)
            #expect(copy.entities["Drawing"]?.keptAside == 1)
            try await fixture.store.perform { context in
                let first = try #require(try context.find(Drawing.self, "a"))
                #expect(first.colour == Data("bany bytes".utf8))
                #expect(first.labels == ["red", "grün"])
                #expect(first.matrix == .array([.array([.decimal(1.5), 2]), .array([3, -4])]))
                #expect(first.meta == ["name": "x", "size": 3, "tags": ["a", "b"], "on": true])
                #expect(first.numbers == [1, 2, 3])
                // An archive of a class that is not known stays as it is.
                #expect(first.anything?.starts(with: "bplist00".utf8) == true)
                let second = try #require(try context.find(Drawing.self, "b"))
                #expect(second.numbers == [])
                #expect(second.labels == nil)
                let fourth = try #require(try context.find(Drawing.self, "d"))
                #expect(fourth.numbers == [1, 2])
                #expect(fourth.meta == ["plain": 1])
            }
            let leftovers = try fixture.store.leftovers()
            #expect(leftovers.map(\.record) == ["Drawing/p2", "Drawing/p3"])
            #expect(leftovers.map(\.member) == ["labels", nil])
        }
    }
}
