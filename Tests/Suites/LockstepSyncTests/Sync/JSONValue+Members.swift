import LockstepStore

extension JSONValue {
    /// A member as text; empty if it is neither a string nor a whole number.
    func text(_ key: String) -> String {
        switch self[key] {
        case .string(let text)?: text
        case .integer(let number)?: String(number)
        default: ""
        }
    }

    /// A list; empty if there is none.
    func list(_ key: String) -> [JSONValue] {
        if case .array(let list)? = self[key] { list } else { [] }
    }
}
