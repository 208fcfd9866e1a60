/// Why a change is no longer sent, without texts from the server.
struct ParkingReason {
    let status: Int
    let error: String?

    var text: String {
        switch status {
        case 0: return unsent
        case 400, 422: return "the server rejects its values"
        case 401, 403: return "the server does not allow it"
        case 404, 410: return "the server does not have the record"
        case 405, 501: return "the server does not accept this kind of change"
        case 409, 412, 428: return "it conflicts with what the server has"
        case 413: return "it is too large for the server"
        case 415: return "the server does not accept its form"
        default: return "the server rejects it"
        }
    }

    /// The library's own reasons have known beginnings. The rest of a reason may contain values.
    private var unsent: String {
        let error = error ?? ""
        return Self.reasons.first { error.hasPrefix($0.beginning) }?.text ?? "it cannot be sent"
    }

    private static let reasons: [(beginning: String, text: String)] = [
        ("the schema no longer sends ", "the schema no longer sends this kind of change"),
        ("its JSON cannot be written", "its JSON cannot be written"),
        ("no server for attachments", "it has an attachment, and the sync has no server for attachments"),
        ("the server has not returned the identities", "the server has not returned identities of embedded records"),
    ]
}
