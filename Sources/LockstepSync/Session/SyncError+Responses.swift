extension SyncError {
    /// Whether the server requires a newer version of the app.
    var isUpdateNeeded: Bool { if case .updateNeeded = code { true } else { false } }

    /// Whether nothing can be transferred until the user or the app has done something, so that no other request makes
    /// sense.
    var stopsSync: Bool { isUpdateNeeded || code == .unauthorized }

    /// Whether the server has responded.
    var isFromServer: Bool {
        switch code {
        case .unavailable, .refused, .notFound, .unauthorized, .updateNeeded: true
        default: false
        }
    }

    /// Whether there was no response.
    var isUnreachable: Bool { code == .network || code == .timeout }
}
