package import Foundation
import LockstepJSON
import LockstepTables

extension OutgoingChange {
    /// Why a JSON object in the response to this change does not prove that it was accepted (Rules.md, P13); `nil` if
    /// it does, or if it is not an object, which ``ResponseBody`` classifies.
    ///
    /// The record proves it: by its identity or, if it contains none, by a value that was sent. Any other JSON object
    /// may come from a sign-in page or a gateway, or be another record.
    ///
    /// - Parameters:
    ///   - response: The unwrapped object.
    ///   - sent: What was sent instead of the whole record.
    package func doubt(about response: Data, sent: JSONValue? = nil) -> String? {
        switch likeness(of: response) {
        case .none, .same: return nil
        case .another where kind != .create: return "a record other than the one that was sent"
        // A record that was created with another identity is reported as such (`ResponseRecord.problem`).
        case .another, .unnamed:
            guard let response = try? JSONValue(json: response), case .object(let members) = response else {
                return nil
            }
            if kind == .delete, members.isEmpty { return nil }
            return says(response, sent: sent) ? nil : "an object that is not the record"
        }
    }

    /// Whether an object is the record itself, and nothing else that has an identity.
    func isRecord(_ response: Data) -> Bool {
        guard likeness(of: response) == .same else { return false }
        // A job has its own ID, too.
        return identity != nil || (try? JSONValue(json: response)).map { says($0, sent: nil) } == true
    }

    /// Whether the response is about a record with another identity.
    package func isAnother(_ response: Data) -> Bool { likeness(of: response) == .another }

    // MARK: Identity

    private enum Likeness { case same, another, unnamed }

    /// Compares the identity in a response with that of the change, without reading the rest; `nil` if the response is
    /// not an object.
    private func likeness(of response: Data) -> Likeness? {
        let paths = entity.identityPaths
        guard let found = JSONMembers.values(at: paths, of: response) else { return nil }
        let values = found.map { $0 == .null ? nil : $0 }
        if values.allSatisfy({ $0 == nil }) { return .unnamed }
        if let identity, identity.values.count == paths.count {
            let isOther = zip(entity.plan.serverKeyColumns, zip(values, identity.values)).contains { column, part in
                part.0.map { !entity.isSame($0, part.1, column: column) } ?? false
            }
            if isOther { return .another }
        }
        return values.contains { $0 == nil } ? .unnamed : .same
    }

    /// Whether an object contains a value that was sent.
    private func says(_ response: JSONValue, sent: JSONValue?) -> Bool {
        guard kind != .delete else { return false }
        return [sent, try? JSONValue(json: body), try? JSONValue(json: changes)].contains { sent in
            sent.map { response == $0 || response.shares(with: $0) } ?? false
        }
    }
}

extension JSONValue {
    /// The value of a key for comparisons: `"7"` is 7, and UUIDs are equal in any case (Rules.md, M5).
    package var keyText: ExactText {
        let text = RemoteIdentity([self]).text.trimmingCharacters(in: .whitespacesAndNewlines)
        return ExactText(UUID(uuidString: text)?.uuidString ?? text)
    }

    private var isEmpty: Bool { self == .null || self == .array([]) }

    /// Whether two objects have a value in common, at the same path.
    fileprivate func shares(with other: JSONValue) -> Bool {
        guard case .object(let members) = self, case .object(let others) = other else { return false }
        return others.contains { key, value in
            guard let mine = members[key] else { return false }
            if case .object = mine, case .object = value { return mine.shares(with: value) }
            // The server may have filled in what was sent empty, which proves nothing.
            return value.isEmpty ? mine == value : mine.says(value)
        }
    }
}
