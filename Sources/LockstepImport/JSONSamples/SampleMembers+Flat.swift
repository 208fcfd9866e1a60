extension SampleMembers {
    private static let flatLimit = 12
    /// How deep paths lead where nested objects cannot be records of their own.
    static let flatDepth = 3

    /// Whether it has only values, and is never null: a path could not lead into null.
    func isFlat(_ object: SampleShape, member: SampleMemberShape, depth: Int) -> Bool {
        member.nulls == 0 && object.keys.count <= Self.flatLimit
            && object.members.values.allSatisfy { value in
                if value.elements?.kinds.contains(.object) == true { return false }
                guard value.kinds.contains(.object), let inner = value.object else { return true }
                return depth > 1 && value.kinds == [.object] && !inner.isMap
                    && isFlat(inner, member: value, depth: depth - 1)
            }
    }
}
