import Foundation
import LockstepJSON
package import LockstepEvolution
import TestSupport

/// Histories of schemas that change at random. Every step says what happens to every row.
package enum RandomHistory {
    /// What a step changes.
    package enum Kind: CaseIterable, Sendable {
        case addAttribute, renameAttribute, swapAttributes, removeAttribute, replaceAttribute
        case widen, convert, require, relax, tighten, loosen, changeDefault, changeWire
        /// An attribute becomes unique: of several records with one value, one stays.
        case becomeUnique
        case stopBeingUnique, addIndex, removeIndex
        case addCase, removeCase, openOrClose, renameEnumeration, removeEnumeration
        case addEntity, renameEntity, renameTable, removeEntity, replaceEntity, changeRemote
        /// An entity that stayed on the device is synced, or the other way round.
        case changeLocality
        case addRelationship, renameRelationship, removeRelationship, replaceRelationship
        case changeOrder, changeEnds, changeRule, changeRequirement
        /// Rows without local changes are deleted, to be pulled again.
        case refetch
    }

    /// All kinds except for the one about which apps must be asked.
    package static let usual = Set(Kind.allCases).subtracting([.changeLocality])

    /// A history from version 1 to `versions`, each with one to four changes. It is verified.
    ///
    /// - Parameter kinds: The changes that it can have.
    package static func make(
        seed: UInt64, versions: Int, kinds: Set<Kind> = usual
    ) throws -> SchemaHistory {
        var random = SeededRandom(seed: seed)
        var structure = RandomStructure.make(&random)
        var tree = SchemaTree(structure)
        var history = SchemaHistory(beginningWith: tree, version: 1, isReleased: true)
        let all = Kind.allCases.filter(kinds.contains)
        for number in 2...max(2, versions) where number <= versions {
            var step = RandomStep(structure, random, mayPullAgain: kinds.contains(.refetch))
            for _ in 0..<step.random.number(1...4) {
                let kind = step.random.element(of: all)
                if step.random.isLikely(kind.percent(in: versions)) { step.change(kind) }
            }
            step.structure.nameIndexes()
            let changes = try step.changes(from: tree)
            (structure, random) = (step.structure, step.random)
            for change in changes { try tree.apply(change) }
            guard tree == SchemaTree(structure) else {
                throw StructureError(
                    ["seed \(seed)", "version \(number)"], reason: "the changes result in another structure")
            }
            history.versions.append(
                SchemaHistory.Version(
                    number: number, name: "step-\(number)", hash: StructureHash(tree), isReleased: random.isLikely(50),
                    changes: changes))
        }
        try history.verified()
        return history
    }
}

extension SchemaHistory {
    /// The changes, one a line, to look at.
    package var text: String {
        versions.map { version in
            version.changes.map { "\(version.number) \($0.text)" }.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

extension SchemaChange {
    fileprivate var text: String { String(decoding: (try? json.json()) ?? Data(), as: UTF8.self) }
}

extension RandomHistory.Kind {
    /// How likely it is kept if it was chosen: something of the first version is still there after a hundred.
    fileprivate func percent(in versions: Int) -> Int {
        guard versions > 20 else { return 100 }
        switch self {
        case .removeEntity, .replaceEntity: return 2
        case .removeAttribute, .replaceAttribute, .removeRelationship, .replaceRelationship: return 30
        default: return 100
        }
    }
}
