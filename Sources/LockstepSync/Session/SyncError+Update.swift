extension SyncError {
    /// Whether the server requires a newer version of the app, so that no other request makes sense.
    var isUpdateNeeded: Bool { if case .updateNeeded = code { true } else { false } }
}
