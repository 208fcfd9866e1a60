public import LockstepJSON

/// The identity of a record as the server knows it: the values of its key, as JSON.
public struct RemoteIdentity: Sendable, Hashable {
    /// One value, or several for an identity of several attributes, in their order.
    public let values: [JSONValue]

    public init(_ values: [JSONValue]) { self.values = values }

    /// The texts of the values, as they stand in addresses, not escaped.
    public var texts: [String] {
        values.map { value in
            switch value {
            case .string(let text): text
            case .integer(let number): String(number)
            case .bool(let flag): String(flag)
            case .decimal(let number): "\(number)"
            case .double(let number): "\(number)"
            case .null, .array, .object: ""
            }
        }
    }

    /// The identity in one piece: `7`, or `DE_7` for several values.
    public var text: String { texts.joined(separator: "_") }
}
