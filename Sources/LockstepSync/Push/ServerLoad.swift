import LockstepStore

// What shows that a server is overloaded: 408, 429, 5xx, a timeout (Rules.md, P18).

extension SyncError {
    /// Whether it shows that the server is overloaded.
    var isOverloaded: Bool {
        switch code {
        case .unavailable(let status): ![407, 425].contains(status)
        case .timeout: true
        default: false
        }
    }
}

extension SendResponse {
    /// Whether it shows that the server is overloaded.
    var isOverloaded: Bool {
        if case .unavailable(let status, _) = self { ![407, 425].contains(status) } else { false }
    }
}

extension BatchResult {
    /// Whether it shows that the server is overloaded.
    var isOverloaded: Bool {
        switch self {
        case .response(let response): response.isOverloaded
        case .failure(let error): (error as? SyncError)?.isOverloaded ?? false
        case .unsent: false
        }
    }
}
