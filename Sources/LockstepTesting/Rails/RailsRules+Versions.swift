import LockstepStore

extension RailsRules {
    /// Gives a record its lock version.
    ///
    /// - Parameter current: The record before; `nil` for a new one.
    func countVersion(_ json: inout JSONValue, of path: String, after current: JSONValue?) {
        guard let key = versionKeys[path] else { return }
        guard let current else {
            if json[key] == nil || json[key] == .null { json[key] = 0 }
            return
        }
        let last = if case .integer(let number)? = current[key] { number } else { Int64(0) }
        json[key] = .integer(last + 1)
    }

    /// Whether a write is made to another version than the record has. One that tells none is not looked at.
    func isStale(_ told: JSONValue?, of path: String, _ current: JSONValue) -> Bool {
        guard let key = versionKeys[path], let told else { return false }
        return told != (current[key] ?? 0)
    }
}
