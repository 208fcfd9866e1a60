/// One validation of a context's unsaved records: first every rule of the models, then every limit of the schema.
///
/// The limits come second, because rules may set values. Problems are in the order of the records, and of the columns
/// within one.
struct Validation {
    /// How many times rules may create new records whose rules then run. A rule that completes its record, and the
    /// rules of what that created, need a few rounds; a rule that creates another record of its own kind never ends.
    static let roundsLimit = 100

    private let context: ManagedObjectContext
    private var ruleErrors: [ObjectIdentifier: StoreError] = [:]

    init(_ context: ManagedObjectContext) { self.context = context }

    /// The first problem, or all.
    mutating func problems(isFirstEnough: Bool) -> [StoreError] {
        if let endless = askRules() { return [endless] }
        if isFirstEnough, ruleErrors.isEmpty, !hasLimitProblem { return [] }
        var problems: [StoreError] = []
        for object in Self.unsaved(in: context) {
            if let error = ruleErrors[ObjectIdentifier(object)] { problems.append(error) }
            problems += Self.limitProblems(of: object)
            if isFirstEnough, !problems.isEmpty { break }
        }
        return problems
    }

    /// The problems of one object, that of its own rule first.
    static func problems(of object: ManagedObject) -> [StoreError] {
        var problems: [StoreError] = []
        do { try object.records?.rule?(object) } catch {
            problems.append(StoreError(rule: error, of: object, doing: operation(on: object)))
        }
        return problems + limitProblems(of: object)
    }

    /// The records to be saved: new ones in the order of creation, then changed ones.
    private static func unsaved(in context: ManagedObjectContext) -> some Sequence<ManagedObject> {
        let lists = [
            context.unsaved.inserted.lazy.filter { $0.state == .inserted },
            context.unsaved.changed.lazy.filter { $0.state == .changed },
        ]
        return lists.lazy.joined()
    }

    private static func operation(on object: ManagedObject) -> String {
        object.state == .inserted ? "inserting" : "changing"
    }

    // MARK: Rules

    /// Runs the rules of all unsaved records, and of those that the rules create or change, each once.
    ///
    /// - Returns: An error if this does not end.
    private mutating func askRules() -> StoreError? {
        guard context.identityMap.all.contains(where: { $0.rule != nil }) else { return nil }
        var asked: Set<ObjectIdentifier> = []
        for _ in 0..<Self.roundsLimit {
            // A rule may change the lists; this iterates over a copy.
            let open = Self.unsaved(in: context).filter { object in
                object.records?.rule != nil && !asked.contains(ObjectIdentifier(object))
            }
            guard !open.isEmpty else { return nil }
            for object in open where asked.insert(ObjectIdentifier(object)).inserted { ask(object) }
        }
        return Self.unsaved(in: context).first {
            $0.records?.rule != nil && !asked.contains(ObjectIdentifier($0))
        }.map { StoreError(endlessRulesOf: $0, doing: Self.operation(on: $0)) }
    }

    private mutating func ask(_ object: ManagedObject) {
        guard object.state == .inserted || object.state == .changed else { return }
        do { try object.records?.rule?(object) } catch {
            ruleErrors[ObjectIdentifier(object)] = StoreError(
                rule: error, of: object, doing: Self.operation(on: object))
        }
    }

    // MARK: Limits

    /// Whether any value of the unsaved records violates its limits. Nearly every save only needs this, so it allocates
    /// nothing for a record.
    private var hasLimitProblem: Bool {
        Self.hasLimitProblem(context.unsaved.inserted, in: .inserted)
            || Self.hasLimitProblem(context.unsaved.changed, in: .changed)
    }

    private static func hasLimitProblem(_ objects: [ManagedObject], in state: RecordState) -> Bool {
        guard let first = objects.first else { return false }
        var plan = first.plan
        var writer = RowWriter(checking: plan)
        var hasProblem = false
        objects.forEachBorrowed { object in
            guard object.state == state, !hasProblem else { return }
            if object.plan !== plan {
                plan = object.plan
                writer = RowWriter(checking: plan)
            }
            for column in plan.checkedColumns where state == .inserted || object.hasChanged(column) {
                writer.take(column, of: object)
            }
            hasProblem = writer.violation != nil
        }
        return hasProblem
    }

    /// The values of an object that cannot be stored; for a changed object, in the changed columns.
    private static func limitProblems(of object: ManagedObject) -> [StoreError] {
        let plan = object.plan
        var problems: [StoreError] = []
        var writer = RowWriter(checking: plan)
        for column in plan.checkedColumns
        where object.state == .inserted || object.hasChanged(column) {
            guard let violation = writer.problem(of: column, of: object) else { continue }
            let problem = StoreError(violation, of: column, of: object, doing: operation(on: object))
            // A link of several columns is one relationship.
            if problems.last?.attribute != problem.attribute { problems.append(problem) }
        }
        return problems
    }
}
