/// Which member of an object identifies it.
enum SampleIdentity {
    /// The usual names as keys, the most frequent one first.
    static let usual = IdentityNames.usual + ["remoteId", "remote_id", "remoteID", "Id", "ID"]

    /// - Parameters:
    ///   - entity: The name of the entity, for `post_id` in a `Post`.
    ///   - first: The keys that are tried first.
    ///   - listed: The keys that identify only records that are not inside of others, which are tried last.
    ///   - refused: The keys that do not identify the records.
    static func key(
        of shape: SampleShape, entity: String, first: Set<String> = [], listed: [String] = [],
        except refused: Set<String> = []
    ) -> String? {
        let own = SampleNames.plain(entity) + "id"
        let candidates = first.sorted() + usual + shape.keys.filter { SampleNames.plain($0) == own } + listed
        return candidates.first { key in
            guard !refused.contains(key), let member = shape.members[key], shape.isRequired(key) else { return false }
            let kinds = Set(member.kinds)
            return kinds.isSubset(of: [.integer, .text]) && member.numbers.fitInteger
        }
    }
}
