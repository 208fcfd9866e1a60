import LockstepStore

extension RailsRules {
    /// Sets the lock version of a record.
    ///
    /// - Parameter current: The previous record; `nil` for a new one.
    func countVersion(_ json: inout JSONValue, of path: String, after current: JSONValue?) {
        guard let key = versionKeys[path] else { return }
        guard let current else {
            if json[key] == nil || json[key] == .null { json[key] = 0 }
            return
        }
        let last = if case .integer(let number)? = current[key] { number } else { Int64(0) }
        json[key] = .integer(last + 1)
    }

    /// Whether a write was made to another version than the record has. A write without a version is not checked.
    func isStale(_ sent: JSONValue?, of path: String, _ current: JSONValue) -> Bool {
        guard let key = versionKeys[path], let sent else { return false }
        return sent != (current[key] ?? 0)
    }
}
