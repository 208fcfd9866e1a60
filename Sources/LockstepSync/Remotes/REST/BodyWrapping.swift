import Foundation
import LockstepStore

/// A record under the key that Rails calls its root: `{"article": {"title": "…"}}`.
enum BodyWrapping {
    static func wrapped(_ body: Data, _ key: String?) -> Data {
        // A text is always JSON.
        guard let key, let name = try? JSONValue.string(key).json() else { return body }
        return Data("{".utf8) + name + Data(":".utf8) + body + Data("}".utf8)
    }

    /// The record without the key, where it is under it; anything else as it is. A record that has a member of that
    /// name besides others is no wrapped one.
    static func unwrapped(_ body: Data, _ key: String?) -> Data {
        guard let key, case .object(let members)? = try? JSONValue(json: body), members.count == 1,
            case .object? = members[key], let record = try? members[key]?.json()
        else { return body }
        return record
    }

    /// What answers a write, without the key: also where other members stand beside that, such as `meta`, if the record
    /// under it proves the write and the whole does not.
    static func unwrapped(_ body: Data, answering change: OutgoingChange) -> Data {
        let bare = unwrapped(body, change.entity.wrapKey)
        guard let key = change.entity.wrapKey, change.doubt(about: bare) != nil,
            case .object(let members)? = try? JSONValue(json: bare), case .object? = members[key],
            let record = try? members[key]?.json(), change.doubt(about: record) == nil
        else { return bare }
        return record
    }
}
