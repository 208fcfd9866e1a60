package import LockstepEvolution

/// Something that must be known about a change, or answered, before it is recorded.
package struct ReviewFinding: Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case possibleRename = "possible-rename"
        case removesAttribute = "removes-attribute"
        case removesRelationship = "removes-relationship"
        case removesEntity = "removes-entity"
        case addsRequired = "adds-required"
        case becomesRequired = "becomes-required"
        case becomesSynced = "becomes-synced"
        case becomesUnique = "becomes-unique"
        case tightensLimit = "tightens-limit"
        case narrowsType = "narrows-type"
        case removesCase = "removes-case"
        case changesIdentity = "changes-identity"
        case slowOnLargeTables = "slow-on-large-tables"
        case wireKeyChanged = "wire-key-changed"
        case wirePathChanged = "wire-path-changed"
    }

    package enum Level: Hashable, Sendable { case error, warning, note }

    /// Hints that answer it, for a command, and when they apply.
    package struct Answer: Hashable, Sendable {
        /// A clause such as “If it is the same”; `nil` for the only one.
        package var condition: String?
        /// `--remove Entry.mood`
        package var flags: String
    }

    package var code: Code
    package var level: Level
    /// In the new schema; something that was removed is in none, and its entity may be.
    package var path: MemberPath
    /// A sentence without a full stop.
    package var message: String
    package var answers: [Answer] = []
    /// Other possible remedies, in complete sentences.
    package var help: String?
}
