import Foundation
import LockstepTables

/// A record under the key that Rails calls its root: `{"article": {"title": "…"}}`.
enum BodyWrapping {
    static func wrapped(_ body: Data, key: String?) -> Data {
        // A text can always be encoded as JSON.
        guard let key, let name = try? JSONValue.string(key).json() else { return body }
        return Data("{".utf8) + name + Data(":".utf8) + body + Data("}".utf8)
    }

    /// The record without the key, if it is wrapped; anything else is unchanged. A record with a member of that name
    /// and others is not wrapped.
    static func unwrapped(_ body: Data, key: String?) -> Data {
        guard let key, case .object(let members)? = try? JSONValue(json: body), members.count == 1,
            case .object? = members[key], let record = try? members[key]?.json()
        else { return body }
        return record
    }

    /// The response to a write, without the key. It is also removed if there are other members, such as `meta`, if the
    /// record under the key proves the write and the whole body does not.
    static func unwrapped(_ body: Data, respondingTo change: OutgoingChange) -> Data {
        let bare = unwrapped(body, key: change.entity.wrapKey)
        guard let key = change.entity.wrapKey, change.doubt(about: bare) != nil,
            case .object(let members)? = try? JSONValue(json: bare), case .object? = members[key],
            let record = try? members[key]?.json(), change.doubt(about: record) == nil
        else { return bare }
        return record
    }
}
