import Checklist
import Foundation
import GRDB
import Journal
import KitchenSink
import LockstepStore
import RuntimeTestSupport
import SampleTypes
import SchematicCapture
import Testing
import TestSupport

@Suite("Representations, directly from the store")
struct RepresentationsTests {
    @Test(
        "Values fetched directly equal those of models, for every entity",
        arguments: Seeds.some(10, of: UInt64(1)...20))
    func sameAsModels(_ seed: UInt64) async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            var values = ValueMaker(random: SeededRandom(seed: seed))
            for index in 0..<8 { try fill(context, index, &values) }
            try context.save()
        }
        try await store.perform { context in
            try expectSame(Everything.order(\.id), context)
            try expectSame(Person.order(\.number.desc).limit(5), context)
            try expectSame(Part.filter { $0.remoteID != nil }, context)
            try expectSame(Part.all(), context)
            try expectSame(Screw.all(), context)
            try expectSame(Box.all(), context)
            try expectSame(Label.all(), context)
            try expectSame(Cover.prefetch(\.thing).order(\.id), context)
            try expectSame(Scrap.all(), context)
            try expectSame(Keyword.all(), context)
            try expectSame(LocalNote.all(), context)
            try expectSame(LocalFolder.all(), context)
        }
        let ids = try await store.representations(Everything.filter { $0.id > 2 }.order(\.id.desc)).map(\.id)
        #expect(ids == [7, 6, 5, 4, 3])
    }

    @Test(
        "A record's request body, written from its rows, equals the encoding of its model",
        arguments: Seeds.some(10, of: UInt64(1)...20))
    func sameAsSent(_ seed: UInt64) async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            var values = ValueMaker(random: SeededRandom(seed: seed))
            for index in 0..<8 { try fill(context, index, &values) }
            var random = SeededRandom(seed: seed)
            for index in 0..<8 {
                var value = EverythingRepresentation.random(&random)
                (value.id, value.sku, value.slug) = (100 + index, nil, Slug(stored: "slug \(index)"))
                try #require(Everything(representation: value, context: context) != nil)
            }
            try context.save()
        }
        for type in KitchenSinkSchema.entities { try await expectSameSent(type, store) }
    }

    private func expectSameSent<Object: Model>(_ type: Object.Type, _ store: Store) async throws {
        let plan = type.entity.plan
        let values = try await store.representations(Object.all())
        let expected = try values.map { try JSONValue(json: JSONEncoder().encode($0)).json() }
        let written = try await store.writer.read { database in
            try database.valueRows(plan.selectSQL).map { row in
                try RecordJSONWriter(database).json(of: EmbeddedRecord(plan, row: row, in: database)).json()
            }
        }
        #expect(written.map(text).sorted() == expected.map(text).sorted())
    }

    private func text(_ json: Data) -> String { String(decoding: json, as: UTF8.self) }

    private func fill(_ context: ManagedObjectContext, _ index: Int, _ values: inout ValueMaker) throws {
        let person = Person(
            updatedAt: values.optional { $0.date() }, name: values.text(1...9),
            country: values.text(0...5).replacing("\0", with: "0"), number: index, context: context)
        if values.flag() { person.manager = person }
        if values.flag() { person.managerID = Person.Identity(country: "\u{1}", number: -1) }
        let thing = Everything(
            createdAt: values.date(), name: values.text(1...20), id: index, exact: values.decimal(),
            link: values.url(), blob: values.data(), extra: values.json(), mood: values.mood(),
            slug: Slug(stored: "\(index)\0"), words: values.list { $0.text(0...5) }, days: values.list { $0.date() },
            optionalDay: values.optional { $0.milliseconds() }, optionalToken: values.optional { $0.uuid() },
            note: values.optional { $0.text(0...9) }, oldSku: values.optional { $0.text(0...4) }, owner: person,
            context: context)
        if values.flag() { thing.ownerID = Person.Identity(country: "nowhere", number: 1) }
        if values.flag() { thing.cover = Cover(id: index, caption: values.text(0...5), context: context) }
        for number in 0..<Int.random(in: 0...3, using: &values.random) {
            let part = Part(
                remoteID: values.flag() ? index * 10 + number : nil, title: values.text(0...5), whole: thing,
                context: context)
            Screw(length: 1, part: part, context: context)
            Box(parts: [part], context: context)
            thing.labels.insert(
                Label(id: "\(index)\u{1}\(number)", colour: values.optional { $0.text(0...5) }, context: context))
            thing.scraps.insert(Scrap(text: "\(number)", page: values.optional { _ in number + 1 }, context: context))
        }
        Keyword(id: index, class: values.optional { $0.text(0...5) }, context: context).funcID = index + 1
        let folder = LocalFolder(title: values.text(0...5), context: context)
        LocalNote(text: values.text(0...5), folder: folder, context: context)
    }

    private func expectSame<Object: Model>(_ request: some ModelRequest<Object>, _ context: ManagedObjectContext) throws
    {
        let models = try context.fetch(request).map(\.representation)
        let values = try context.representations(request)
        #expect(values == models, "\(Object.self)")
        // Omitted members of a representation only affect its JSON.
        let (left, right) = (try JSONEncoder.sorted.encode(values), try JSONEncoder.sorted.encode(models))
        #expect(left == right, "\(Object.self)")
    }

    @Test("A tree takes one query per level, however many records there are")
    func tree() async throws {
        let counter = StatementCounter()
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory, configuration: counter.configuration)
        try await store.perform { context in
            for id in Int32(0)..<5 {
                let project = Project(id: id, name: "p", client: "c", clientId: 1, context: context)
                for place in Int32(0)..<4 {
                    let sheet = JobSheet(id: id * 10 + place, name: "s", project: project, context: context)
                    for part in Int32(0)..<3 {
                        let id = sheet.id * 10 + part
                        let component = Component(id: id, componentId: "c", jobSheet: sheet, context: context)
                        if part > 0 { component.photo = Photo(id: id, name: "f", context: context) }
                    }
                }
            }
            try context.save()
        }
        try await store.perform { context in
            var values: [ProjectRepresentation] = []
            let queries = try counter.queries { values = try context.representations(Project.order(\.id)) }
            #expect(queries.count == 4, "\(queries)")
            #expect(values.flatMap { $0.jobSheets ?? [] }.flatMap { $0.components ?? [] }.count == 60)
            let models = try context.fetch(Project.order(\.id)).map(\.representation)
            #expect(values == models)
        }
    }

    @Test("Values of rows take one query and no model; unsaved changes are not included")
    func unsaved() async throws {
        let counter = StatementCounter()
        let store = try Store(JournalSchema.self, at: .inMemory, configuration: counter.configuration)
        try await store.perform { context in
            let entry = Entry(title: "Hello", context: context)
            Entry(title: "Other", context: context)
            try context.save()
            entry.title = "Changed"
            Entry(title: "New", context: context)
            var values: [EntryRepresentation] = []
            let queries = try counter.queries { values = try context.representations(Entry.order(\.title)) }
            #expect(values.map(\.title) == ["Hello", "Other"])
            #expect(queries.count == 1)
            #expect(entry.title == "Changed" && context.hasChanges)
        }
    }

    @MainActor
    @Test("They can be read while another context writes, and off the main actor")
    func besideAWriter() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(JournalSchema.self, at: .file(folder.appendingPathComponent("Journal.sqlite")))
        Entry(title: "Saved", context: store.mainContext)
        try await store.mainContext.save()
        let (isReading, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let performed: Void = store.perform { context in
            Entry(title: "Unsaved", context: context)
            isReading.signal()
            goOn.wait()
            try context.save()
        }
        let title = "Saved"
        let values = try await store.representations(Entry.filter { $0.title == title })
        #expect(values.map(\.title) == ["Saved"])
        goOn.signal()
        try await performed
        let count = try await store.representations(Entry.all()).count
        #expect(count == 2)
    }

    @Test("A request with other columns is rejected, and so is a value of the wrong type")
    func refused() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        await #expect(throws: StoreError.self) {
            try await store.representations(Entry.select(\.title))
        }
        try await store.writer.write { database in
            try database.execute(
                sql: "INSERT INTO entry (identifier, title, mood, timestamp) VALUES ('no uuid', 't', 'sad', 0)")
        }
        let error = await #expect(throws: StoreError.self) { try await store.representations(Entry.all()) }
        #expect(error?.code == .unreadableValue)
        #expect(error?.attribute == "identifier")
    }

    @Test("Cycles of records end, and lists of nested tasks are complete")
    func deep() async throws {
        let store = try Store(ChecklistSchema.self, at: .inMemory)
        try await store.perform { context in
            let list = List(id: 1, name: "l", context: context)
            for id in 0..<4 {
                let task = Checklist.Task(id: id, title: "t", list: list, context: context)
                task.parentTaskID = id == 0 ? 3 : id - 1
            }
            try context.save()
            let lists = try context.fetch(List.all()).map(\.representation)
            let values = try context.representations(List.all())
            #expect(values == lists)
            let tasks = try context.fetch(Checklist.Task.order(\.id)).map(\.representation)
            let taskValues = try context.representations(Checklist.Task.order(\.id))
            #expect(taskValues == tasks)
        }
    }
}

extension JSONEncoder {
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
