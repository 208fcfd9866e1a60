import Foundation
import GRDB
import LockstepEvolution
import LockstepStore

// Attachments, which must be on a server before a record there refers to them (Rules.md, P14).
extension PushSession {
    /// Whether a record may refer to bytes that have to be uploaded before it is sent.
    func mayUpload(for record: PushRecord) -> Bool {
        guard record.kind != .delete else { return false }
        return environment.attachments != nil || !AttachmentReference.all(in: record.changes).isEmpty
    }

    /// Uploads what a record refers to.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError``: the errors of the upload, with `store` if a file cannot be read, and
    ///   `unsupported` if bytes are only on this device and the sync has no server for them.
    func uploadAttachments(of record: PushRecord) async throws {
        guard record.kind != .delete else { return }
        // A server must not get a reference to bytes that are never uploaded.
        if let attachments = environment.attachments { return try await upload(record, to: attachments) }
        // What was not changed is on the server already.
        let sent = AttachmentReference.all(in: record.changes).filter(environment.store.attachmentFiles.has)
        guard !sent.isEmpty else { return }
        let known = try await AttachmentNotes.onAnyServer(environment.store)
        guard let lost = sent.first(where: { !known.contains($0.hash) }) else { return }
        let path = record.plan.attachmentPath(of: lost, in: try JSONValue(json: record.changes))
        throw SyncError(
            .unsupported, entity: record.plan.name, record: record.key.text,
            reason: """
                \(Self.missingServer): \(path ?? record.plan.name) refers to bytes that are on this device only; \
                give the sync a server for them, Sync(store:remote:attachments:), and it is sent
                """, remedy: "Create the sync with `attachments:`.")
    }

    private func upload(_ record: PushRecord, to attachments: AttachmentTransfer) async throws {
        for attachment in try await attachments.uploads(referencedIn: record.body) {
            do { try await attachments.upload(attachment) } catch {
                throw SyncError(of: attachment, error: error) ?? error
            }
        }
    }

    /// Parks a change that needs damaged bytes on a server. If they cannot be read, that may be different later.
    func failed(_ record: PushRecord, withFile problem: SyncError) async throws -> Outcome {
        let isDamaged = (problem.underlyingError as? StoreError)?.code == .damaged
        guard isDamaged else { return try await delayed(record, error: problem) }
        try await park(record, status: 0, body: Data(problem.reason.utf8))
        return .parked(isResponse: false)
    }

    /// The beginning of the reason of a change that waits for a server for attachments.
    private static let missingServer = "no server for attachments"

    /// Releases the changes that waited for a server for attachments, if there is one now.
    func releaseAttachments() async throws {
        guard environment.attachments != nil else { return }
        let isWaiting = try await environment.store.reading("reading the outbox") { database in
            try OutboxTable.hasParked(because: Self.missingServer, in: database)
        }
        guard isWaiting else { return }
        try await environment.store.writeRaw("retrying") { database, _ in
            try OutboxTable.releaseParked(because: Self.missingServer, in: database)
        }
    }
}

extension EntityPlan {
    /// Which attribute has a reference as its value in a record's JSON: `Photo.imageData`.
    fileprivate func attachmentPath(of reference: AttachmentReference, in json: JSONValue) -> String? {
        for column in attachmentColumns {
            guard let path = columns[column].wire?.path, json.value(at: path) == .string(reference.text) else {
                continue
            }
            return "\(name).\(columns[column].memberName)"
        }
        for relationship in relationships {
            guard case .embedded(let path, _) = relationship.wire, let value = json.value(at: path) else {
                continue
            }
            let members: [JSONValue] = if case .array(let list) = value { list } else { [value] }
            let plan = relationship.destination
            for member in members {
                if let path = plan.attachmentPath(of: reference, in: member) { return path }
            }
        }
        return nil
    }
}
