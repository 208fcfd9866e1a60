import Foundation
import LockstepStore
import SchematicCapture
import Testing

@Suite("Schematic Capture: nested projects")
struct SchematicCaptureTests {
    /// Two job sheets out of order, components and a photo, in the server's format.
    private static let json = Data(
        """
        {"id": 7, "name": "Plant", "companyName": "Acme", "clientId": 3, "jobsheet": [
          {"id": 2, "name": "Second", "status": "incomplete", "updatedAt": "2020-03-03T10:10:00Z", "components": []},
          {"id": 1, "name": "First", "status": "complete", "updatedAt": null, "components": [
            {"id": 11, "componentId": "C-11", "manufacturer": "Siemens",
             "photo": {"id": 111, "name": "front.jpg"}},
            {"id": 10, "componentId": "C-10"}
          ]}
        ]}
        """.utf8)

    private func decoded() throws -> ProjectRepresentation {
        try JSONDecoder().decode(ProjectRepresentation.self, from: Self.json)
    }

    @Test("The renamed keys are read and written: jobsheet and companyName")
    func renamedKeys() throws {
        let project = try decoded()
        #expect(project.client == "Acme")
        #expect(project.jobSheets?.count == 2)
        let object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(project)) as? [String: Any])
        #expect(Set(object.keys) == ["id", "name", "companyName", "clientId", "jobsheet"])
        #expect(ProjectRepresentation.CodingKeys.client.rawValue == "companyName")
    }

    @Test("The initializer with a representation creates the whole tree; representation returns it, sorted by id")
    func wholeTree() async throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let project = try decoded()
        try await store.perform { context in
            let model = try #require(Project(representation: project, context: context))
            #expect(model == project)
            try context.save()
        }
        let loaded = try #require(try await store.perform { try Project.find(7, in: $0)?.representation })
        #expect(loaded.jobSheets?.map(\.id) == [1, 2])
        #expect(loaded.jobSheets?.first?.components?.map(\.id) == [10, 11])
        #expect(loaded.jobSheets?.first?.components?.last?.photo?.name == "front.jpg")
        #expect(loaded.jobSheets?.first?.components?.first?.photo == nil)
        try await store.perform { context in
            let model = try #require(try Project.find(7, in: context))
            #expect(model == project)
            #expect(project == model)
            #expect(model.jobSheets.first?.project === model)
        }
    }

    @Test("update(from:) matches children by id, adds new ones and unlinks missing ones")
    func updatesTheTree() async throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let project = try decoded()
        var changed = project
        changed.jobSheets = [
            JobSheetRepresentation(id: 1, name: "Renamed", status: "complete", components: []),
            JobSheetRepresentation(id: 3, name: "Third", status: "incomplete", components: []),
        ]
        let update = changed
        try await store.perform { context in
            _ = Project(representation: project, context: context)
            try context.save()
            let model = try #require(try Project.find(7, in: context))
            let first = try #require(model.jobSheets.first { $0.id == 1 })
            model.update(from: update)
            #expect(model.jobSheets.map(\.id) == [1, 3])
            #expect(first.name == "Renamed")
            #expect(model.jobSheets.first === first)
            try context.save()
        }
        let names = try await store.perform { try Project.find(7, in: $0)?.jobSheets.map(\.name) }
        #expect(names == ["Renamed", "Third"])
    }

    @Test("A nested difference is a difference")
    func deepDifference() async throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let project = try decoded()
        var other = project
        other.jobSheets?[1].components?[0].photo?.name = "back.jpg"
        let changed = other
        try await store.perform { context in
            let model = try #require(Project(representation: project, context: context))
            #expect(model != changed)
            #expect(changed != model)
        }
    }

    @Test("Deleting a project deletes its sheets, components and photos")
    func cascades() async throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let project = try decoded()
        try await store.perform { context in
            _ = Project(representation: project, context: context)
            try context.save()
        }
        try await store.perform { context in
            context.delete(try #require(try Project.find(7, in: context)))
            try context.save()
        }
        try await store.perform { context in
            let counts = [
                try context.count(Project.all()), try context.count(JobSheet.all()),
                try context.count(Component.all()), try context.count(Photo.all()),
            ]
            #expect(counts == [0, 0, 0, 0])
        }
    }

    @Test("A photo's bytes are stored in a file; the JSON contains a reference to them")
    func attachment() async throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let bytes = Data([0, 1, 2, 255])
        try await store.perform { context in
            Photo(id: 1, name: "a.jpg", imageData: FileAttachment(bytes), context: context)
            try context.save()
        }
        try await store.perform { context in
            let photo = try #require(try Photo.find(1, in: context))
            #expect(try photo.imageData?.data() == bytes)
            let text = String(decoding: try JSONEncoder().encode(photo), as: UTF8.self)
            #expect(text.contains("\"imageData\":\"sha256-"))
        }
    }

    @Test("Ids have 32 bits: a larger one is rejected with its key, not wrapped")
    func idOutOfRange() {
        let json = Data(#"{"id": 2147483648, "name": "x", "companyName": "y", "clientId": 1}"#.utf8)
        #expect {
            try JSONDecoder().decode(ProjectRepresentation.self, from: json)
        } throws: { "\($0)".contains("id") }
    }
}
