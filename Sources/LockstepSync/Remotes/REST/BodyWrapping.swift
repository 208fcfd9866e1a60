import Foundation
import LockstepStore

/// A record under the key that Rails calls its root: `{"article": {"title": "…"}}`.
enum BodyWrapping {
    static func wrapped(_ body: Data, _ key: String?) -> Data {
        // A text is always JSON.
        guard let key, let name = try? JSONValue.string(key).json() else { return body }
        return Data("{".utf8) + name + Data(":".utf8) + body + Data("}".utf8)
    }

    /// The record without the key, where it is under it; anything else as it is. A record that has a member of that name
    /// besides others is no wrapped one.
    static func unwrapped(_ body: Data, _ key: String?) -> Data {
        guard let key, case .object(let members)? = try? JSONValue(json: body), members.count == 1,
            case .object? = members[key], let record = try? members[key]?.json()
        else { return body }
        return record
    }
}
