import LockstepSchema

/// The names of keys and columns that the language derives from those of members.
struct DerivedNames {
    let isSnakeCase: Bool

    /// That of an attribute, or of records in their owner.
    func name(_ member: String) -> String { isSnakeCase ? UsableName.snakeCase(member) : member }

    /// That of an identity or of a list of identities.
    func link(_ member: String, isToMany: Bool = false) -> String {
        let (base, end) = isToMany ? (Noun.singular(member), "IDs") : (member, "ID")
        return isSnakeCase ? "\(UsableName.snakeCase(base))_\(end.lowercased())" : base + end
    }

    /// The JSON key of a member.
    func key(of member: MemberSketch, isRelationship: Bool) -> String {
        guard isRelationship, member.wire != .embedded else { return name(member.name) }
        return link(member.name, isToMany: member.wire == .ids)
    }
}

/// A key that names another record, or several: `author_id`, `tagIDs`.
struct ReferenceKey {
    let base: String
    let isToMany: Bool

    /// `nil` for another key.
    init?(_ key: String) {
        for (suffix, isToMany) in [
            ("_ids", true), ("Ids", true), ("IDs", true), ("_id", false), ("Id", false), ("ID", false),
        ]
        where key.utf8.count > suffix.utf8.count && key.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
            (base, self.isToMany) = (String(key.dropLast(suffix.count)), isToMany)
            return
        }
        return nil
    }
}
