import LockstepStore

extension RailsRules {
    /// Sets the lock version of a record.
    ///
    /// - Parameter current: The previous record; `nil` for a new one.
    func countVersion(_ json: inout JSONValue, of path: String, after current: JSONValue?) {
        guard let key = versionKeys[path] else { return }
        guard let current else {
            if json[key] == nil || json[key] == .null { json[key] = version(0, of: path) }
            return
        }
        json[key] = version(number(of: current[key] ?? .null, at: path) + 1, of: path)
    }

    private func version(_ number: Int64, of path: String) -> JSONValue {
        guard let count = versionDigits[path] else { return .integer(number) }
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, count - digits.count))
        return .string("2026-03-01T08:25:00.\(zeros)\(digits)Z")
    }

    private func number(of version: JSONValue, at path: String) -> Int64 {
        switch version {
        case .integer(let number): number
        case .string(let text): Int64(text.dropLast().split(separator: ".").last ?? "") ?? 0
        default: 0
        }
    }

    /// The version that a parameter names.
    func version(named parameter: String, of path: String) -> JSONValue? {
        versionDigits[path] == nil ? Int64(parameter).map(JSONValue.integer) : .string(parameter)
    }

    /// Whether a write was made to another version than the record has. A write without a version is not checked.
    func isStale(_ sent: JSONValue?, of path: String, current: JSONValue) -> Bool {
        guard let key = versionKeys[path], let sent else { return false }
        return sent != (current[key] ?? version(0, of: path))
    }
}
