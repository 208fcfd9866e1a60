import LockstepStore

/// A file server as transfers call it: behind this boundary, it throws only a `SyncError` and the cancellation of the
/// calling task (rule P20).
struct AttachmentBoundary: AttachmentRemote {
    private let remote: any AttachmentRemote
    /// Where each request is reported; `nil` if nowhere.
    private let diagnostics: Diagnostics?

    init(_ remote: any AttachmentRemote, diagnostics: Diagnostics? = nil) {
        self.remote = remote
        self.diagnostics = diagnostics
    }

    var name: String { remote.name }

    func upload(_ attachment: FileAttachment) async throws {
        let measured = measure(.upload, attachment: attachment)
        do {
            try await remote.upload(attachment)
            measured?.end(.success)
        } catch {
            throw failing(error, measured: measured, attachment: attachment)
        }
    }

    func download(_ attachment: FileAttachment, from offset: Int) async throws -> AttachmentBody {
        let measured = measure(.download, attachment: attachment)
        do {
            let response = try await remote.download(attachment, from: offset)
            measured?.end(.success)
            let body = response.body.mappingErrors { failing($0, measured: measured, attachment: attachment) }
            return AttachmentBody(body, offset: response.offset)
        } catch {
            throw failing(error, measured: measured, attachment: attachment)
        }
    }

    private func measure(_ operation: SyncExchange.Operation, attachment: FileAttachment) -> MeasuredExchange? {
        diagnostics.map { MeasuredExchange(operation, entity: nil, record: attachment.contentHash, diagnostics: $0) }
    }

    private func failing(_ error: any Error, measured: MeasuredExchange?, attachment: FileAttachment) -> any Error {
        let meaning = SyncError.meaning(of: error, record: attachment.reference)
        return measured?.failing(meaning) ?? meaning
    }
}
