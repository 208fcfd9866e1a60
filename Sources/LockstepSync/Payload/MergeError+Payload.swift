extension MergeError {
    /// The payload cannot be read, or is not what it should be.
    init(_ error: PayloadError, _ entity: String) {
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
            case .cannotRead(let path, let reason):
                (
                    .unreadablePayload, "\(path) cannot be read: \(reason)",
                    "Nothing was changed. See that the file is there and may be read."
                )
            case .cannotSpool(let reason):
                (
                    .unreadablePayload, "the body cannot be put into a temporary file: \(reason)",
                    "Nothing was changed. See that the folder for temporary files is there and may be written to."
                )
            case .diskFull:
                (
                    .unreadablePayload, "the disk is full: there is no room for a temporary file with the body",
                    "Nothing was changed. Make room and try again."
                )
            }
        self.init(code, entity: entity, reason: reason, remedy: remedy, underlyingError: error)
    }
}
