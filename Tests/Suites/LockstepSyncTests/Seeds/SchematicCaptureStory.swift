import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import SchematicCapture
import TestSupport
import Testing

/// A technician's device: projects, and the owner of the token it sends.
@MainActor
private struct Device {
    let store: Store
    let sync: Sync

    init(_ server: FakeRails, _ photos: MemoryAttachments, in folder: URL, _ name: String, token: TokenProvider? = nil)
        throws
    {
        store = try Store(SchematicCaptureSchema.self, at: .file(folder.appendingPathComponent(name + ".sqlite")))
        let bearer = token ?? { _ in "secret" }
        let remote = RESTRemote(
            server.url, client: AuthorizedClient(URLSessionClient(), token: bearer), sendsEmbedded: true)
        sync = Sync(store: store, remote: remote, attachments: photos, clock: ManualClock(), random: { 0.5 })
    }

    var context: ManagedObjectContext { store.mainContext }

    func component(_ id: Int32) throws -> Component { try #require(try Component.find(id, in: context)) }

    /// The server's projects as stored locally.
    func projects() async throws -> [ProjectRepresentation] {
        try await store.perform { try $0.fetch(Project.order(\.id)).map(\.representation) }
    }
}

/// The tokens of a device, and the number of their refreshes.
private actor Account {
    private(set) var refreshCount = 0

    func token(isRefresh: Bool) -> String {
        if isRefresh { refreshCount += 1 }
        return refreshCount == 0 ? "expired" : "secret"
    }
}

@Suite("Schematic Capture: projects, four levels deep", .unhurried)
@MainActor
struct SchematicCaptureStory {
    private let photos = MemoryAttachments()
    /// A project as returned by `GET /api/projects`: job sheets, components, and the photo of one.
    private let project: JSONValue = [
        "id": 1, "name": "Mill", "companyName": "Flour & Sons", "clientId": 9,
        "jobsheet": [
            [
                "id": 11, "name": "Control panel", "status": "incomplete", "updatedAt": "2026-01-05T10:00:00.000Z",
                "components": [
                    ["id": 111, "componentId": "K1", "manufacturer": "ABB", "photo": .null],
                    ["id": 112, "componentId": "K2", "photo": ["id": 1120, "name": "K2 front", "imageData": .null]],
                ],
            ],
            ["id": 12, "name": "Motor", "status": "complete", "components": []],
        ],
    ]

    @Test("downloadAssignedJobs: projects require a bearer token")
    func download() async throws {
        try await withTemporaryFolder { folder in
            try await withServer(FakeRails()) { server in
                server.set(project, in: "/projects")
                server.require(token: "secret")
                let stranger = try Device(server, photos, in: folder, "stranger") { _ in nil }
                await #expect { try await stranger.sync.pull(Project.self) } throws: {
                    ($0 as? SyncError)?.code == .unauthorized
                }
                #expect(try await stranger.projects().isEmpty)
                server.clearLog()

                let device = try Device(server, photos, in: folder, "device")
                try await device.sync.pull(Project.self)
                #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer secret"])
                #expect(server.newLog() == ["GET /projects"], "one document has all four levels")
                let mill = try #require(try Project.find(1, in: device.context))
                #expect(mill.client == "Flour & Sons" && mill.jobSheets.map(\.name) == ["Control panel", "Motor"])
                #expect(mill.jobSheets[0].components.map(\.componentId) == ["K1", "K2"])
                #expect(mill.jobSheets[0].components[1].photo?.name == "K2 front")
                #expect(try await device.store.outbox.count() == 0)
            }
        }
    }

    @Test("An expired token is refreshed once, unnoticed by the technician")
    func expiredToken() async throws {
        try await withTemporaryFolder { folder in
            let clock = ManualClock()
            try await withServer(FakeRails(clock: clock)) { server in
                server.set(project, in: "/projects")
                server.require(tokens: ["expired": clock.now + 60, "secret": .distantFuture])
                let account = Account()
                let device = try Device(server, photos, in: folder, "device") { await account.token(isRefresh: $0) }
                try await device.sync.pull(Project.self)
                #expect(await account.refreshCount == 0)

                clock.advance(by: 120)
                server.clearLog()
                try #require(try Project.find(1, in: device.context)).name = "Old mill"
                try await device.context.save()
                try await device.sync.push()
                try await device.sync.pull(Project.self)
                #expect(await account.refreshCount == 1)
                let tokens = server.requests.map { $0.headers[.authorization]?.replacing("Bearer ", with: "") }
                #expect(tokens == ["expired", "secret", "secret"])
                #expect(server.newLog() == ["PATCH /projects/1", "PATCH /projects/1", "GET /projects"])
                #expect(server.record("1", of: "/projects")?["name"] == "Old mill")
            }
        }
    }

    @Test("A component is edited, photographed and uploaded with its project; the office receives the photo")
    func upload() async throws {
        try await withTemporaryFolder { folder in
            try await withServer(FakeRails()) { server in
                server.set(project, in: "/projects")
                server.require(token: "secret")
                let technician = try Device(server, photos, in: folder, "technician")
                try await technician.sync.pull(Project.self)
                server.clearLog()

                let picture = FileAttachment(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
                let component = try technician.component(111)
                component.partNumber = "1SBL137"
                component.photo = Photo(id: 1110, name: "K1 front", imageData: picture, context: technician.context)
                component.jobSheet?.status = "complete"
                Component(
                    id: 113, componentId: "K3", jobSheet: component.jobSheet, context: technician.context)
                technician.context.delete(try technician.component(112))
                try await technician.context.save()

                try await technician.sync.push()
                #expect(photos.log == [.upload(hash: picture.contentHash)])
                let sent = server.newChanges()
                #expect(sent.map(\.request) == ["PATCH /projects/1"], "one document, however much is in it")
                let document = sent.last?.body
                #expect(document?["name"] == nil, "nothing of the project itself was changed")
                let sheet = document?["jobsheet"]?[0]
                #expect(sheet?["status"] == "complete")
                #expect(sheet?["components"]?[0]?["partNumber"] == "1SBL137")
                #expect(sheet?["components"]?[0]?["photo"]?["imageData"] == .string(picture.reference))
                #expect(sheet?["components"]?[1]?["componentId"] == "K3" && sheet?["components"]?[2] == nil)

                let office = try Device(server, photos, in: folder, "office")
                try await office.sync.pull(Project.self)
                #expect(try await office.projects() == technician.projects())
                let photo = try #require(try office.component(111).photo)
                #expect(photo.imageData?.state == .missing)
                let report = try await office.sync.attachments?.downloadMissing()
                #expect(report?.downloaded == [picture] && report?.missingCount == 0)
                #expect(try photo.imageData?.data() == picture.data())
                #expect(try office.component(111).partNumber == "1SBL137")
                #expect(try Component.find(112, in: office.context) == nil)
            }
        }
    }
}
