/// Why a payload cannot be read, other than that it is not JSON (`JSONSyntaxError`) or that its file cannot be read
/// (`FileError`).
enum PayloadError: Error, Hashable {
    /// JSON, but not of the shape that was asked for: what is there instead, and where.
    case wrongShape(reason: String, offset: Int)
    /// One record has more bytes than that.
    case recordTooLarge(limit: Int, offset: Int)
    /// The body has more bytes than that.
    case bodyTooLarge(limit: Int)
}
