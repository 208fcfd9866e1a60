/// Why a payload cannot be read, other than that it is not JSON (`JSONSyntaxError`).
enum PayloadError: Error, Hashable {
    /// JSON, but not of the shape that was asked for: what is there instead, and where.
    case wrongShape(reason: String, offset: Int)
    /// One record has more bytes than that.
    case recordTooLarge(limit: Int, offset: Int)
    /// The body has more bytes than that.
    case bodyTooLarge(limit: Int)
    /// The file with the payload: where it is, and what the system says.
    case cannotRead(path: String, reason: String)
    /// The file for a long body that comes in pieces: what the system says.
    case cannotSpool(reason: String)
    /// There is no room for that file.
    case diskFull
}
