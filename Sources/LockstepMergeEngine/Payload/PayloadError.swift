/// Why a payload cannot be read, other than because it is not JSON (`JSONSyntaxError`) or its file cannot be read
/// (`FileError`).
enum PayloadError: Error, Hashable {
    /// The payload is JSON, but does not have the expected shape.
    case wrongShape(reason: String, offset: Int)
    /// A record has more bytes than the limit.
    case recordTooLarge(limit: Int, offset: Int)
    /// The body has more bytes than the limit.
    case bodyTooLarge(limit: Int)
}
