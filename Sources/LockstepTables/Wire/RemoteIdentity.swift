public import LockstepJSON

/// The identity of a record on the server: the values of its key, as JSON.
public struct RemoteIdentity: Sendable, Hashable {
    /// One value, or several for an identity of several attributes, in order.
    public let values: [JSONValue]

    public init(_ values: [JSONValue]) { self.values = values }

    /// The texts of the values as they are used in URLs, without escaping.
    public var texts: [String] {
        values.map { value in
            switch value {
            case .string(let text): text
            case .integer(let number): String(number)
            case .bool(let flag): String(flag)
            case .decimal(let number): "\(number)"
            case .double(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
            case .null, .array, .object: ""
            }
        }
    }

    /// The identity as one text, for messages: `7`, or `DE_7` for several values. Two identities can have the same
    /// text, so use `RemoteEntity.text(of:)` for addresses.
    public var text: String { texts.joined(separator: "_") }
}
