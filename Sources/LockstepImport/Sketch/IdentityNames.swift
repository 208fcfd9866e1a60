import LockstepSchema

/// The names of attributes that identify the records of an entity, for sources that do not say which one does.
enum IdentityNames {
    /// Those that identify any record, the most frequent one first, as ``plain(_:)`` has them.
    static let usual = ["id", "_id", "identifier", "uuid", "uid", "guid", "gid", "pk", "remoteid"]

    /// The names that identify any record, the most frequent one first: `id`, `orderItemID` of an `OrderItem` and of an
    /// `OrderItemDto`.
    ///
    /// - Parameter isOther: Whether a part of the entity's name, as ``plain(_:)`` has it, means something else: then
    ///   `orderItemID` of an `OrderItemDto` is an order item.
    static func identities(in names: [String], of entity: String, isOther: (String) -> Bool) -> [String] {
        let subjects = [plain(entity)] + [plain(subject(of: entity))].filter { !isOther($0) }
        return ranked(names, by: usual + subjects.flatMap(identities))
    }

    /// The name of an entity without a last word that only says what its type is for: `User` for `UserDto`.
    static func subject(of entity: String) -> String {
        let words = UsableName.words(entity)
        guard words.count > 1, let last = words.last, typeWords.contains(last.lowercased()) else { return entity }
        return words.dropLast().joined()
    }

    private static let typeWords: Set = ["dto", "entity", "model", "response"]

    /// The names that identify only a record that is requested by itself: `itemID` of an `OrderItem`, `key`. Inside of
    /// another record, the first is usually another record, and the second occurs once in each owner.
    ///
    /// - Parameter isOther: Whether the last words of the entity's name, as ``plain(_:)`` has them, mean something
    ///   else: then `itemID` of an `OrderItem` is an item.
    static func listedIdentities(
        in names: [String], of entity: String, isOther: (String) -> Bool
    ) -> [String] {
        let words = UsableName.words(entity).map(plain)
        let ends = words.indices.dropFirst().map { words[$0...].joined() }.filter { !isOther($0) }
        return ranked(names, by: ends.flatMap(identities) + ["key"])
    }

    /// Names that differ in case and underscores only.
    static func plain(_ name: String) -> String { name == "_id" ? name : MemberNames.plain(name) }

    private static func identities(of entity: String) -> [String] { ["id", "uuid", "guid", "gid"].map { entity + $0 } }

    private static func ranked(_ names: [String], by wanted: [String]) -> [String] {
        let known = names.compactMap { name in wanted.firstIndex(of: plain(name)).map { (rank: $0, name: name) } }
        return known.sorted { $0.rank < $1.rank }.map(\.name)
    }
}
