/// Checks the values of a representation against the limits of its entity, by making it encode itself without output.
package final class LimitsChecker {
    private let plan: EntityPlan
    private(set) var violation: (path: [String], reason: LimitViolation)?

    private init(_ plan: EntityPlan) { self.plan = plan }

    /// The first value that violates its limits, including embedded representations; `nil` if there is none.
    package static func violation<Value: WireObject>(in value: Value) -> (path: [String], reason: LimitViolation)? {
        let checker = LimitsChecker(Value.entity.plan)
        var wire = WireWriter<Value.CodingKeys>(checker)
        // A checker writes nothing, so nothing can fail to be encoded as JSON.
        try? value.write(to: &wire)
        return checker.violation
    }

    func check<Value: AttributeValue>(_ value: Value?, at path: [String]) {
        guard violation == nil, let value else { return }
        let limits = plan.limitsByWirePath.isEmpty ? Limits.none : plan.limitsByWirePath[path] ?? .none
        if let reason = value.violation(of: limits) { violation = (path, reason) }
    }

    func check<Value: WireObject>(embedded value: Value) {
        guard violation == nil else { return }
        violation = Self.violation(in: value)
    }
}
