import LockstepStore

/// A file server as transfers call it: behind this boundary, it throws only a `SyncError` and the cancellation of the
/// calling task (rule P20).
struct AttachmentBoundary: AttachmentRemote {
    private let remote: any AttachmentRemote

    init(_ remote: any AttachmentRemote) { self.remote = remote }

    var name: String { remote.name }

    func upload(_ attachment: Attachment) async throws {
        do { try await remote.upload(attachment) } catch {
            throw SyncError.meaning(of: error, record: attachment.reference)
        }
    }

    func download(_ attachment: Attachment, from offset: Int) async throws -> AttachmentBody {
        let reference = attachment.reference
        do {
            let answer = try await remote.download(attachment, from: offset)
            let body = answer.body.mappingErrors { SyncError.meaning(of: $0, record: reference) }
            return AttachmentBody(body, offset: answer.offset)
        } catch {
            throw SyncError.meaning(of: error, record: reference)
        }
    }
}
