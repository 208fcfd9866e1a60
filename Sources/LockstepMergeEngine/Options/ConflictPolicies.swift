package import LockstepTables

/// The policies of a store: one for all entities, and others for some of them.
///
/// ```swift
/// let policies = ConflictPolicies(.localChangesWin)
///     .using(.newestWins(by: "timestamp"), for: Entry.self)
/// ```
public struct ConflictPolicies: Sendable {
    /// The policy for entities without their own.
    package let defaultPolicy: ConflictPolicy
    /// The policy for unique values of entities without their own.
    package let uniqueValues: UniqueValuePolicy
    private var policies: [String: ConflictPolicy] = [:]
    private var uniqueValuePolicies: [String: UniqueValuePolicy] = [:]

    /// Creates policies that are the same for all entities.
    public init(_ defaultPolicy: ConflictPolicy = .localChangesWin, uniqueValues: UniqueValuePolicy = .adopt) {
        self.defaultPolicy = defaultPolicy
        self.uniqueValues = uniqueValues
    }

    /// Local edits are kept, for all entities.
    public static var localChangesWin: ConflictPolicies { ConflictPolicies(.localChangesWin) }
    /// The server's values are used, for all entities.
    public static var serverWins: ConflictPolicies { ConflictPolicies(.serverWins) }

    package mutating func use(_ policy: ConflictPolicy, for entity: String) { policies[entity] = policy }

    package mutating func use(_ policy: UniqueValuePolicy, for entity: String) { uniqueValuePolicies[entity] = policy }

    /// The policy for unique values of an entity's records.
    func uniqueValues(for plan: EntityPlan) -> UniqueValuePolicy { uniqueValuePolicies[plan.name] ?? uniqueValues }

    /// The policy for an entity's records. Records that are sent only inside others have their owner's, unless they
    /// have their own. If that cannot decide about them, local edits are kept.
    package func policy(for plan: EntityPlan) -> ConflictPolicy {
        if let own = policies[plan.name] { return own }
        guard plan.travelsInside else { return defaultPolicy }
        let policy = ownersPolicy(of: plan)
        do { try policy.validate(for: plan) } catch { return .localChangesWin }
        return policy
    }

    private func ownersPolicy(of plan: EntityPlan) -> ConflictPolicy {
        var (plan, seen) = (plan, Set([plan.name]))
        while plan.travelsInside, let relationship = plan.relationships.first(where: { $0.embeddingInverse != nil }),
            seen.insert(relationship.destination.name).inserted
        {
            plan = relationship.destination
            if let own = policies[plan.name] { return own }
        }
        return defaultPolicy
    }

    // MARK: Validation

    /// Checks that the policy of each entity that is sent can decide about its records.
    ///
    /// - Throws: `MergeError` with the code `conflictPolicy`.
    package func validate(_ plans: SchemaPlan) throws(MergeError) {
        for plan in plans where plan.travels || policies[plan.name] != nil { try policy(for: plan).validate(for: plan) }
    }
}

extension ConflictPolicy {
    /// Checks that the policy can decide about an entity's records.
    ///
    /// - Throws: `MergeError` with the code `conflictPolicy`.
    package func validate(for plan: EntityPlan) throws(MergeError) {
        switch kind {
        case .serverWins, .localChangesWin: return
        case .custom(let function):
            if function.entity == plan.name { return }
            throw MergeError(
                .conflictPolicy, entity: plan.name,
                reason: "the function decides conflicts of “\(function.entity)”, not of “\(plan.name)”",
                remedy: "Give each function to its own entity: `.using(policy, for: \(function.entity).self)`.")
        case .newestWins(let attribute):
            guard let column = plan.column(ofAttribute: attribute) else {
                throw MergeError(
                    .conflictPolicy, entity: plan.name, reason: "there is no attribute “\(attribute)”",
                    remedy: "Use an attribute of \(plan.name), or another policy: `.using(_:for: \(plan.name).self)`.")
            }
            guard plan.columns[column].type.isOrderedByTime else {
                throw MergeError(
                    .conflictPolicy, entity: plan.name,
                    reason: "the attribute “\(attribute)” is neither a date nor a number",
                    remedy: "Use a date or a number.")
            }
        }
    }
}

extension StoredType {
    /// Whether one of two stored values can be later than the other.
    fileprivate var isOrderedByTime: Bool {
        switch self {
        case .int, .int16, .int32, .int64, .float, .double, .date: true
        default: false
        }
    }
}
