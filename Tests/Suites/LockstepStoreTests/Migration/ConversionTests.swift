import Foundation
import GRDB
import LockstepEvolution
@_spi(Generated) import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import SamplesV1
import SamplesV3
import TestSupport
import Testing

@Suite("Conversions that apps write in Swift")
struct ConversionTests {
    private typealias Old = SamplesV1.Person
    private typealias New = SamplesV3.Person

    /// A device whose app of version 1 has pulled a person, and may have edited it since.
    private struct Device {
        let server = MemoryRemote(traits: RemoteTraits())
        let file: URL

        init(in folder: URL, name: String = "Ada Lovelace", height: String = "1.65 m") async throws {
            file = folder.appendingPathComponent("people.sqlite")
            try await perform { context in
                Old(
                    identifier: Self.id, name: name, height: height, note: "first",
                    team: SamplesV1.Team(name: "Analysts", context: context), context: context)
            }
            try await sync { try await $0.push() }
        }

        static let other = UUID(uuidString: "22222222-2222-4333-8444-555555555555") ?? UUID()
        static let id = UUID(uuidString: "11111111-2222-4333-8444-555555555555") ?? UUID()

        func perform(_ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
            let store = try Store(SamplesV1.PeopleSchema.self, at: .file(file))
            try await store.perform { context in
                try body(context)
                try context.save()
            }
            try store.close()
        }

        func edit(_ body: @escaping @Sendable (SamplesV1.Person) -> Void) async throws {
            try await perform { context in body(try #require(try Old.find(Self.id, in: context))) }
        }

        func sync(_ body: (Sync) async throws -> Void) async throws {
            let store = try Store(SamplesV1.PeopleSchema.self, at: .file(file))
            try await body(Sync(store: store, remote: server))
            try store.close()
        }

        func migrated() throws -> Store { try Store(SamplesV3.PeopleSchema.self, at: .file(file)) }
    }

    @Test("Every row is converted, and nothing that nobody edited is pending")
    func rows() async throws {
        try await withTemporaryFolder { folder in
            let store = try await Device(in: folder).migrated()
            try await store.perform { context in
                let person = try #require(try New.find(Device.id, in: context))
                #expect(person.firstName == "Ada")
                #expect(person.lastName == "Lovelace")
                #expect(person.height == 165)
                #expect(person.remark == "first")
                #expect(person.team?.name == "Analysts")
            }
            #expect(try await store.outbox.count() == 0)
            #expect(try store.leftovers().isEmpty)
            #expect(store.migration?.copy != nil)
        }
    }

    @Test("V2 The base is converted like its record: only what the edit changes is sent")
    func pending() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder)
            try await device.edit { $0.name = "Ada King" }
            let store = try device.migrated()
            #expect(try await store.outbox.count() == 1)
            let sync = Sync(store: store, remote: device.server)
            try await sync.push()
            let sent = try #require(device.server.log.last?.changes)
            #expect(sent["lastName"] == "King")
            #expect(sent["firstName"] == nil)
            #expect(sent["height"] == nil)
        }
    }

    @Test("A row whose conversion throws keeps the initial values, and is a leftover with the error")
    func failure() async throws {
        try await withTemporaryFolder { folder in
            let store = try await Device(in: folder, height: "tall").migrated()
            try await store.perform { context in
                let person = try #require(try New.find(Device.id, in: context))
                #expect(person.height == nil)
                #expect(person.firstName == "Ada")
                #expect(person.team?.name == "Analysts")
            }
            let leftover = try #require(try store.leftovers().first)
            #expect(leftover.entity == "Person")
            #expect(leftover.member == nil)
            #expect(leftover.reason == "“tall” is not a length")
            #expect(leftover.value?["height"] == "tall")
            // The conversion gets the form of the version before it.
            #expect(leftover.version == 2)
            #expect(leftover.value?["firstName"] == "Ada")
            #expect(try await store.outbox.count() == 0)
            #expect((#expect(throws: StoreError.self) { try store.send(leftover) })?.code == .unsuitableLeftover)
            try store.discard([leftover])
            #expect(try store.leftovers().isEmpty)
        }
    }

    @Test("A value that the limits exclude is an error of the conversion")
    func limits() async throws {
        try await withTemporaryFolder { folder in
            let store = try await Device(in: folder, height: "-1 m").migrated()
            #expect(try store.leftovers().first?.reason == "the value of “height” is outside of its limits")
            let height = try await store.perform { try New.find(Device.id, in: $0)?.height }
            #expect(height == .some(nil))
        }
    }

    @Test("An edit that cannot be converted is a leftover, and the record has what the server has")
    func restored() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder)
            try await device.edit { $0.height = "tall" }
            let store = try device.migrated()
            let height = try await store.perform { try New.find(Device.id, in: $0)?.height }
            #expect(height == 165)
            #expect(try await store.outbox.count() == 0)
            #expect(try store.leftovers().map(\.reason) == ["“tall” is not a length"])
            try await store.perform { context in
                try #require(try New.find(Device.id, in: context)).remark = "second"
                try context.save()
            }
            try await Sync(store: store, remote: device.server).push()
            #expect(device.server.log.last?.changes == ["remark": "second"])
        }
    }

    @Test("A creation that cannot be converted is parked with the error, and sent after the next edit")
    func parked() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder)
            try await device.perform { Old(identifier: Device.other, name: "Bob", height: "small", context: $0) }
            let store = try device.migrated()
            let change = try #require(try await store.outbox.pending().first)
            #expect(change.parked != nil)
            #expect(change.lastError == "“small” is not a length")
            let sync = Sync(store: store, remote: device.server)
            let requestCount = device.server.log.count
            try await sync.push()
            #expect(device.server.log.count == requestCount)
            try await store.perform { context in
                try #require(try New.find(Device.other, in: context)).height = 170
                try context.save()
            }
            try await sync.push()
            #expect(device.server.log.last?.body?["height"] == 170)
            #expect(device.server.log.last?.body?["firstName"] == "Bob")
            #expect(try await store.outbox.count() == 0)
        }
    }

    @Test("A value that was sent without a response, and changed back, is sent again")
    func changedBack() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder)
            try await device.edit { $0.name = "Ada King" }
            device.server.respondNext(.responseLost, to: .changes)
            try await device.sync { _ = try? await $0.push() }
            try await device.edit { $0.name = "Ada Lovelace" }
            let store = try device.migrated()
            #expect(try await store.outbox.count() == 1)
        }
    }

    @Test("What a conversion got leaves no leftover of a removed attribute")
    func noLeftover() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder)
            try await device.edit { $0.name = "Ada King" }
            #expect(try device.migrated().leftovers().isEmpty)
        }
    }

    @Test("“Not a number” is an error of the conversion, and the file opens")
    func notANumber() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder)
            let opening = StoreOpening(
                schema: schema("metric/Person", RowConversion("metric/Person") { _ in [Double.nan] }),
                location: .file(device.file), configuration: Configuration(), options: MigrationOptions())
            let opened = try opening.open()
            defer { try? opened.writer.close() }
            #expect(opened.migration?.leftoverCount == 1)
        }
    }

    @Test("A text with a NUL is whole in a conversion, and in a leftover")
    func nul() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder, name: "A\0da Love\0lace", height: "ta\0ll")
            let store = try device.migrated()
            let names = try await store.perform { context in
                try New.find(Device.id, in: context).map { [$0.firstName, $0.lastName] }
            }
            #expect(names == ["A\0da", "Love\0lace"])
            #expect(try store.leftovers().map { $0.value?["height"] } == ["ta\0ll"])
        }
    }

    @Test("Imported changes are converted, and those that cannot be are leftovers, too")
    func imported() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder)
            try await device.perform { Old(identifier: Device.other, name: "Bob Low", height: "small", context: $0) }
            let exported = try Store.exportPending(SamplesV3.PeopleSchema.self, at: device.file)
            let store = try Store(SamplesV3.PeopleSchema.self, at: .inMemory)
            #expect(try store.importPending(exported) == 1)
            #expect(try store.leftovers().map(\.reason) == ["“small” is not a length"])
            let name = try await store.perform { try New.find(Device.other, in: $0)?.lastName }
            #expect(name == "Low")
        }
    }

    @Test("MigrationCheck, on hostile rows and pending changes", arguments: SamplesV3.PeopleSchema.versions)
    func check(version: Int) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            try MigrationCheck(SamplesV3.PeopleSchema.self, from: version).run(seed: seed)
        }
    }

    /// The schema with another conversion in place of one of its own.
    private func schema(_ id: String, _ conversion: RowConversion?) -> SchemaDescription {
        var schema = SchemaDescription(SamplesV3.PeopleSchema.self)
        schema.conversions.removeAll { $0.id == id }
        schema.conversions += [conversion].compactMap(\.self)
        return schema
    }

    @Test("MigrationCheck finds a conversion that gives something else each time")
    func notDeterministic() throws {
        let count = Locked(0)
        let conversion = RowConversion("split-name/Person") { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return ["\(number)", nil]
        }
        let error = #expect(throws: MigrationCheckFailure.self) {
            try MigrationCheck(schema("split-name/Person", conversion), from: 1).run(seed: 1)
        }
        #expect(error?.findings.contains { $0.contains("split-name/Person") } == true)
    }

    @Test("An attribute whose type stays has its former value until the conversion sets it")
    func formerValue() throws {
        var builder = HistoryBuilder(.journal)
        try builder.version(
            answers: ["Entry.title": ChangeAnswers(fill: "none", convert: "swift")]
        ) {
            $0.change("Entry") { $0.change("title") { $0.limits.maximumLength = 5 } }
        }
        let values = Locked<[String]>([])
        let conversion = RowConversion("version 2/Entry") { row in
            let initial: String = row.initialValue(5)
            values.withLock { $0.append(initial) }
            return [initial]
        }
        var schema = try builder.schema().description
        schema.conversions = [conversion]
        try MigrationCheck(schema, from: 1).run(seed: 1, rowCount: 30)
        let seen = Set(values.withLock { $0 })
        #expect(seen.contains("none"))
        #expect(seen.contains { $0 != "none" && !$0.isEmpty })
        #expect(seen.allSatisfy { $0.unicodeScalars.count <= 5 })
    }

    @Test("Without a conversion that the history names, the file stays as it was")
    func missing() async throws {
        try await withTemporaryFolder { folder in
            let device = try await Device(in: folder)
            let before = try Data(contentsOf: device.file)
            let opening = StoreOpening(
                schema: schema("metric/Person", nil), location: .file(device.file), configuration: Configuration(),
                options: MigrationOptions())
            let error = #expect(throws: StoreError.self) { _ = try opening.open() }
            #expect("\(try #require(error))".contains("metric/Person"))
            #expect(try Data(contentsOf: device.file) == before)
        }
    }
}
