import Foundation
import LockstepHTTP
import LockstepRemotes
import LockstepTables

/// What cases use: two users of a server, the records to which others belong, and the created records.
struct ConformanceStage: Sendable {
    let subject: SampleSubject
    let maker: SampleMaker
    let owner: ServerUser
    /// `nil` if there is only one token.
    let other: ServerUser?
    /// What `psql` accepts as a database; `nil` if there is no access to it.
    let database: String?
    let created: CreatedRecords
    /// The records to which those of the cases refer, by relationship.
    private var links: [Int: SampleRecord] = [:]

    init(
        _ subject: SampleSubject, maker: SampleMaker, owner: ServerUser, other: ServerUser?, database: String?,
        created: CreatedRecords? = nil
    ) {
        self.subject = subject
        self.maker = maker
        self.owner = owner
        self.other = other
        self.database = database
        self.created = created ?? CreatedRecords(owner: owner)
    }

    /// Creates the records to which those of the cases refer.
    ///
    /// - Returns: The first of them, to which the others refer; `nil` if there are none.
    /// - Throws: ``ConformanceFailure`` if the server does not accept them.
    mutating func furnish() async throws -> SampleRecord? {
        var made: [String: SampleRecord] = [:]
        var first: SampleRecord?
        links = try await destinations(of: subject.entity.plan, made: &made, first: &first)
        return first
    }

    private func destinations(
        of plan: EntityPlan, made: inout [String: SampleRecord], first: inout SampleRecord?
    ) async throws -> [Int: SampleRecord] {
        var links: [Int: SampleRecord] = [:]
        for (relationship, plan) in try maker.destinations(of: plan) {
            if let known = made[plan.name] {
                links[relationship] = known
                continue
            }
            let outer = try await destinations(of: plan, made: &made, first: &first)
            let record = try await create(try maker.record(of: plan, linkedTo: outer))
            made[plan.name] = record
            if first == nil { first = record }
            links[relationship] = record
        }
        return links
    }

    // MARK: Records

    /// A record that is not on the server yet.
    func record() throws -> SampleRecord { try maker.record(of: subject.entity.plan, linkedTo: links) }

    /// Creates a record.
    func create() async throws -> SampleRecord { try await create(try record()) }

    /// - Throws: ``ConformanceFailure`` if the server does not accept it.
    private func create(_ new: SampleRecord) async throws -> SampleRecord {
        var record = new
        let change = try record.creation()
        let response = try await send(change, creating: record)
        guard case .accepted = response else {
            await created.settle(record, isAccepted: false)
            throw ConformanceFailure(
                "the creation of a record of '\(record.entity.name)' was \(owner.text(of: response, to: change))",
                remedy: "Check the schema and the token, or choose another entity with --entity.")
        }
        record.confirm(response)
        await created.settle(record, isAccepted: true)
        return record
    }

    /// Sends the creation of a record, which is deleted at the end unless it is certain that the server lacks it.
    func send(_ creation: OutgoingChange, creating record: SampleRecord) async throws -> SendResponse {
        await created.expect(record)
        do { return try await owner.send(creation) } catch let error as SyncError {
            if error.provesNothingWritten { await created.settle(record, isAccepted: false) }
            throw error
        }
    }

    /// Changes the text of a record.
    ///
    /// - Returns: The new text.
    @discardableResult
    func change(_ record: SampleRecord) async throws -> String {
        let text = SampleMaker.mark()
        let change = try update(record, text: text)
        let response = try await owner.send(change)
        guard case .accepted = response else {
            throw ConformanceFailure(
                "an update of '\(record.entity.name)' was \(owner.text(of: response, to: change))",
                remedy: "Check which writes the server allows.")
        }
        return text
    }

    func update(_ record: SampleRecord, text: String, to version: String? = nil) throws -> OutgoingChange {
        try record.update([(subject.text, .string(text))], to: version)
    }

    /// Deletes a record.
    func delete(_ record: SampleRecord) async throws {
        let change = record.deletion()
        let response = try await owner.send(change)
        switch response {
        case .accepted, .absent: break
        default:
            throw ConformanceFailure(
                "the deletion of a record of '\(record.entity.name)' was \(owner.text(of: response, to: change))",
                remedy: "Check which writes the server allows.")
        }
    }

    // MARK: Devices

    /// A new device of the owner.
    func device() -> DeviceReader { device(of: owner) }

    func device(of user: ServerUser) -> DeviceReader { DeviceReader(user.remote, entity: subject.entity) }

    /// A new device of the owner that has read everything.
    func currentDevice() async throws -> DeviceReader {
        let device = device()
        try await device.pull()
        return device
    }

    /// The text that a device knows of a record; `nil` if it does not know the record.
    func text(of record: SampleRecord, on device: DeviceReader) async -> String? {
        await device.json(of: record).flatMap { subject.text(in: $0) }
    }
}
