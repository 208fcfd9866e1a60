import TestSupport

/// Each way that a link can travel.
enum RelationshipPattern: CaseIterable {
    case byID, byIDWithInverse, requiredByID, embeddedToOne, oneToOneInverse, embeddedChildren, orderedChildren,
        embeddedScraps, embeddedScrap, childIDs, manyIDs, manyEmbedded, embeddedTree, treeByID, friendsByID,
        oneToOneByID, requiredChildren, orderedChildIDs,
        symmetricIDs, orderedSymmetricIDs, unlistedChildren, unlistedTree, unlistedRequired, unlistedOneWithKey,
        unlistedOneWithoutKey, keyHereByID, keyThereByID, symmetricID

    /// The patterns of the first schemas, whose texts stay the same.
    static let first = Array(allCases.prefix(18))
    /// Those of the later ones.
    static let later = Array(allCases[18..<27])

    /// An entity with itself.
    var isInTree: Bool {
        [.embeddedTree, .treeByID, .friendsByID, .symmetricIDs, .orderedSymmetricIDs, .unlistedTree, .symmetricID]
            .contains(self)
    }

    /// A list of identities.
    var isByIDs: Bool {
        [.childIDs, .manyIDs, .friendsByID, .orderedChildIDs, .symmetricIDs, .orderedSymmetricIDs].contains(self)
    }

    /// One whole record in another.
    var isEmbeddedToOne: Bool {
        [.embeddedToOne, .oneToOneInverse, .unlistedOneWithKey, .unlistedOneWithoutKey].contains(self)
    }

    /// Whole records of the destination in the source.
    var isEmbedded: Bool {
        isEmbeddedToOne || needsOwner
            || [.embeddedChildren, .orderedChildren, .manyEmbedded, .embeddedTree, .unlistedChildren, .unlistedTree]
                .contains(self)
    }

    /// The identity of one record of the destination in the source.
    var identifiesDestination: Bool {
        [.byID, .byIDWithInverse, .requiredByID, .treeByID, .oneToOneByID, .keyHereByID, .symmetricID].contains(self)
    }

    /// The identity of one record of the source in the destination.
    var identifiesSource: Bool { [.childIDs, .orderedChildIDs, .keyThereByID].contains(self) }

    /// Whole records that cannot be without their owner, which alone says that it has them.
    var needsOwner: Bool { [.requiredChildren, .unlistedRequired].contains(self) }

    /// To an entity without identity.
    var isOfScraps: Bool { [.embeddedScrap, .embeddedScraps].contains(self) }

    /// The lines of both entities.
    func lines(
        from source: String, to destination: String, adjective: String, _ random: inout SeededRandom
    ) -> (source: String, destination: String?) {
        let one = "\(adjective)\(destination)"
        let many = "\(adjective)\(destination)Set"
        let back = "\(adjective)Of\(source)"
        let cascade = Bool.random(using: &random) ? ", onDelete: cascade" : ""
        let ordered = Bool.random(using: &random) ? ", ordered: true" : ""
        // Only the later patterns have it, so that it does not change the random numbers of the first ones.
        let isLater = Self.later.contains(self)
        let unlisted = isLater ? ", unlisted: \(Bool.random(using: &random) ? "delete" : "unlink")" : ""
        func toOne(_ options: String, inverse: String?) -> (source: String, destination: String?) {
            ("\(one): { to: \(destination)?\(options) }", inverse)
        }
        func toMany(_ options: String, _ inverse: String?) -> (source: String, destination: String?) {
            let link = inverse == nil ? "" : ", inverse: \(back)"
            return ("\(many): { to: [\(destination)]\(link)\(options) }", inverse.map { "\(back): \($0)" })
        }
        let optionalBack = "{ to: \(source)?, inverse: \(many) }"
        // Their owners carry them whole, and nothing else says whose they are.
        let ownedBack = "{ to: \(source)?, inverse: \(many), wire: none }"
        let manyBack = "{ to: [\(source)], inverse: \(many), wire: none }"
        switch self {
        case .byID:
            return toOne("", inverse: nil)
        case .byIDWithInverse, .treeByID:
            return toOne(", inverse: \(back)", inverse: "\(back): { to: [\(source)], inverse: \(one)\(cascade) }")
        case .requiredByID:
            return (
                "\(one): { to: \(destination), inverse: \(back) }",
                "\(back): { to: [\(source)], inverse: \(one), onDelete: cascade }"
            )
        case .embeddedToOne: return toOne(", wire: embedded", inverse: nil)
        case .embeddedScrap:
            return toOne(
                ", inverse: \(back), wire: embedded, onDelete: cascade",
                inverse: "\(back): { to: \(source)?, inverse: \(one), wire: none }")
        case .oneToOneInverse:
            return toOne(
                ", inverse: \(back), wire: embedded\(cascade)",
                inverse: "\(back): { to: \(source)?, inverse: \(one), wire: none }")
        case .oneToOneByID:
            return toOne(
                ", inverse: \(back)", inverse: "\(back): { to: \(source)?, inverse: \(one), wire: none }")
        case .embeddedChildren, .embeddedTree: return toMany(", wire: embedded\(cascade)", ownedBack)
        case .orderedChildren: return toMany(", wire: embedded, ordered: true\(cascade)", ownedBack)
        case .requiredChildren:
            return toMany(
                ", wire: embedded, onDelete: cascade\(ordered)", "{ to: \(source), inverse: \(many), wire: none }")
        case .embeddedScraps: return toMany(", wire: embedded, onDelete: cascade", nil)
        case .childIDs: return toMany(", wire: ids\(cascade)", optionalBack)
        case .orderedChildIDs: return toMany(", wire: ids, ordered: true", optionalBack)
        case .manyIDs, .friendsByID: return toMany(", wire: ids\(ordered)", manyBack)
        case .symmetricIDs: return ("\(many): { to: [\(destination)], inverse: \(many) }", nil)
        case .symmetricID: return ("\(one): { to: \(destination)?, inverse: \(one) }", nil)
        case .orderedSymmetricIDs:
            return ("\(many): { to: [\(destination)], inverse: \(many), ordered: true }", nil)
        case .unlistedChildren, .unlistedTree:
            return toMany(", wire: embedded\(ordered)\(cascade)\(unlisted)", ownedBack)
        case .unlistedRequired:
            return toMany(
                ", wire: embedded, onDelete: cascade\(ordered), unlisted: unlink",
                "{ to: \(source), inverse: \(many), wire: none }")
        case .unlistedOneWithKey:
            return toOne(
                ", inverse: \(back), wire: embedded, holdsKey: true\(cascade)\(unlisted)",
                inverse: "\(back): { to: \(source)?, inverse: \(one), wire: none }")
        case .unlistedOneWithoutKey:
            return toOne(
                ", inverse: \(back), wire: embedded, holdsKey: false\(cascade)\(unlisted)",
                inverse: "\(back): { to: \(source)?, inverse: \(one), wire: none }")
        case .keyHereByID:
            return toOne(
                ", inverse: \(back), holdsKey: true\(cascade)", inverse: "\(back): { to: \(source)?, inverse: \(one) }")
        case .keyThereByID:
            return toOne(
                ", inverse: \(back), holdsKey: false",
                inverse: "\(back): { to: \(source)?, inverse: \(one)\(cascade) }")
        case .manyEmbedded: return toMany(", wire: embedded\(ordered)", manyBack)
        }
    }
}
