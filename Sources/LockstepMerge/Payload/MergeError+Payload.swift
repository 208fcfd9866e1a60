import LockstepJSON
import LockstepSystem

extension MergeError {
    /// The error to throw for an error of reading an entity's payload. Other errors are returned unchanged.
    package static func payload(_ error: any Error, _ entity: String) -> any Error {
        switch error {
        case let error as JSONSyntaxError: MergeError(error, entity)
        case let error as PayloadError: MergeError(error, entity)
        case let error as FileError: MergeError(error, entity)
        default: error
        }
    }

    /// The payload is not JSON.
    private init(_ error: JSONSyntaxError, _ entity: String) {
        guard error.reason != .unexpectedEnd || error.offset > 0 else {
            self.init(
                .notJSON(offset: 0), entity: entity, reason: "the payload is empty",
                remedy: "Nothing was changed. A response without a body (204, 304) is not to be merged.",
                underlyingError: error)
            return
        }
        self.init(
            .notJSON(offset: error.offset), entity: entity, reason: "the payload is not JSON: \(error)",
            remedy: "Nothing was changed. Ask the server again, or look at what it sends at that byte.",
            underlyingError: error)
    }

    /// The payload does not have the expected shape or size.
    private init(_ error: PayloadError, _ entity: String) {
        let (code, reason, remedy): (Code, String, String) =
            switch error {
            case .wrongShape(let reason, let offset):
                (
                    .wrongShape, "\(reason) (at byte \(offset))",
                    """
                    Nothing was changed. Look at what was sent, or say in `options.payload` how the records lie in it: \
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
                    "Nothing was changed. Ask for less at a time, or raise the limit: `PullLimits.bytes` of the sync."
                )
            }
        self.init(code, entity: entity, reason: reason, remedy: remedy, underlyingError: error)
    }

    /// The payload's file cannot be read, or a large body cannot be written to a temporary file.
    private init(_ error: FileError, _ entity: String) {
        let (reason, remedy): (String, String) =
            switch error {
            case .cannotRead(let path, let reason):
                (
                    "\(path) cannot be read: \(reason)",
                    "Nothing was changed. See that the file is there and may be read."
                )
            case .cannotWrite(let reason):
                (
                    "the body cannot be put into a temporary file: \(reason)",
                    "Nothing was changed. See that the folder for temporary files is there and may be written to."
                )
            case .diskFull:
                (
                    "the disk is full: there is no room for a temporary file with the body",
                    "Nothing was changed. Make room and try again."
                )
            }
        self.init(.unreadablePayload, entity: entity, reason: reason, remedy: remedy, underlyingError: error)
    }
}
