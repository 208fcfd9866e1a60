import Foundation
import LockstepStore
import LockstepSync
import SchematicCapture

extension Store {
    /// Merges photo 1, whose bytes are not on this device.
    func mergePhoto(of bytes: Data) async throws -> FileAttachment {
        let attachment = FileAttachment(bytes)
        let body = #"[{"id": 1, "name": "a", "imageData": "\#(attachment.reference)"}]"#
        try await merge(Data(body.utf8), into: Photo.self)
        return attachment
    }
}
