import LockstepTables

extension JSONValue {
    /// The value as a Firebase database stores it: without `null`, `{}` and `[]`, and with arrays converted to objects.
    /// `nil` if nothing is left.
    ///
    /// Two values are the same on the server if these are equal.
    var storedByFirebase: JSONValue? {
        switch self {
        case .null: return nil
        case .array(let elements):
            let members = elements.enumerated().map { (String($0.offset), $0.element) }
            return JSONValue.object(JSONObject(members)).storedByFirebase
        case .object(let members):
            let stored = members.compactMapValues(\.storedByFirebase)
            return stored.isEmpty ? nil : .object(stored)
        case .bool, .integer, .decimal, .double, .string: return self
        }
    }
}
