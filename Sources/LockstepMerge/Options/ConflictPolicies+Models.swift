public import LockstepStore

extension ConflictPolicies {
    /// Returns the policies with another one for an entity.
    public func using<Object: Model>(_ policy: ConflictPolicy, for type: Object.Type) -> ConflictPolicies {
        var policies = self
        policies.use(policy, for: Object.entity.name)
        return policies
    }

    /// Returns the policies with another one for an entity's unique values.
    public func using<Object: Model>(_ policy: UniqueValuePolicy, for type: Object.Type) -> ConflictPolicies {
        var policies = self
        policies.use(policy, for: Object.entity.name)
        return policies
    }
}
