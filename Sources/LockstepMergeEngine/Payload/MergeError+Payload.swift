import LockstepJSON
import LockstepSystem

extension MergeError {
    /// The error to throw for an error of reading an entity's payload. Other errors are returned unchanged.
    package static func payload(_ error: any Error, of entity: String) -> any Error {
        switch error {
        case let error as JSONSyntaxError: MergeError(error, entity: entity)
        case let error as PayloadError: MergeError(error, entity: entity)
        case let error as FileError: MergeError(error, entity: entity)
        default: error
        }
    }

    /// The payload is not JSON.
    private init(_ error: JSONSyntaxError, entity: String) {
        guard error.reason != .unexpectedEnd || error.offset > 0 else {
            self.init(
                .notJSON(offset: 0), entity: entity, reason: "the payload is empty",
                remedy: "Nothing was changed. Do not merge a response without a body (204, 304).",
                underlyingError: error)
            return
        }
        self.init(
            .notJSON(offset: error.offset), entity: entity, reason: "the payload is not JSON: \(error)",
            remedy: "Nothing was changed. Request it again, or check what the server sends at that byte.",
            underlyingError: error)
    }

    /// The payload does not have the expected shape or size.
    private init(_ error: PayloadError, entity: String) {
        let (code, reason, remedy): (Code, String, String) =
            switch error {
            case .wrongShape(let reason, let offset):
                (
                    .wrongShape, "\(reason) (at byte \(offset))",
                    """
                    Nothing was changed. Check what was sent, or set `options.payload` to the shape of the payload: \
                    `.records`, `.wrapped(key:)` or `.map`.
                    """
                )
            case .recordTooLarge(let limit, let offset):
                (
                    .tooLarge, "the record at byte \(offset) has more than \(limit) bytes",
                    "Nothing was changed. Have the server send it in parts."
                )
            case .bodyTooLarge(let limit):
                (
                    .tooLarge, "the body has more than \(limit) bytes",
                    "Nothing was changed. Request less at a time, or raise the limit: `PullLimits.bytes` of the sync."
                )
            }
        self.init(code, entity: entity, reason: reason, remedy: remedy, underlyingError: error)
    }

    /// The payload's file cannot be read, or a large body cannot be written to a temporary file.
    private init(_ error: FileError, entity: String) {
        let (reason, remedy): (String, String) =
            switch error {
            case .cannotRead(let path, let reason):
                (
                    "\(path) cannot be read: \(reason)",
                    "Nothing was changed. Check that the file exists and is readable."
                )
            case .cannotWrite(let reason):
                (
                    "the body cannot be written to a temporary file: \(reason)",
                    "Nothing was changed. Check that the folder for temporary files exists and is writable."
                )
            case .diskFull:
                (
                    "the disk is full: there is no space for a temporary file with the body",
                    "Nothing was changed. Free some space and try again."
                )
            }
        self.init(.unreadablePayload, entity: entity, reason: reason, remedy: remedy, underlyingError: error)
    }
}
