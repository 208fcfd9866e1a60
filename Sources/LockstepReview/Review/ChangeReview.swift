package import LockstepEvolution

/// The changes from one version of a schema to the next, with what was answered and what must be.
///
/// A recorded step can be carried out on any rows: what could fail on some is an error until a hint answers it.
package struct ChangeReview: Sendable {
    /// In the order in which they are applied.
    package private(set) var changes: [SchemaChange] = []
    /// For each change.
    package private(set) var costs: [ChangeCost] = []
    package internal(set) var findings: [ReviewFinding] = []
    /// Hints that name nothing, or that no change needs.
    package internal(set) var problems: [HintProblem] = []
    /// The entities that are pulled again, because they have more members in JSON, in the order of names.
    package internal(set) var pulledAgain: Set<String> = []

    let hints: ReviewHints
    /// With the new names of entities.
    let removals: Set<MemberPath>
    let scope: ReviewScope
    var used: Set<HintUse> = []

    /// Whether the changes can be recorded.
    package var isComplete: Bool { problems.isEmpty && !findings.contains { $0.level == .error } }

    /// Compares two structures.
    ///
    /// - Throws: `StructureError` if one of them cannot be decoded.
    package init(from former: SchemaTree, to new: SchemaTree, hints: ReviewHints) throws(StructureError) {
        var resolver = HintResolver(hints, former: former, new: new)
        let guess = RenameGuess(from: resolver.renamed(), to: new, removals: resolver.removals)
        resolver.add(guess.enumerations)
        self.hints = resolver.hints
        removals = resolver.removals
        problems = resolver.problems
        var changes: [SchemaChange] = []
        do throws(StructureError) {
            changes = try SchemaDiff.changes(
                from: former, to: new, renames: resolver.renames, replaced: resolver.replaced)
        } catch {
            problems.append(HintProblem("--rename", reason: error.description))
            changes = try SchemaDiff.changes(from: former, to: new)
        }
        scope = try ReviewScope(former: former, new: new, changes: changes)
        used = resolver.used
        report(guess)
        let guessed = Set(guess.candidates.flatMap { [$0.former] + $0.new })
        for change in changes { add(change, isGuessed: guessed.contains(change.path)) }
        pullAgain()
        explain()
        reportUnused()
    }

    private mutating func add(_ change: SchemaChange, isGuessed: Bool) {
        var change = change
        var cost = ChangeCost.instant
        switch change.action {
        case .add: if !isGuessed { cost = reviewAdded(&change) }
        case .remove: if !isGuessed { cost = reviewRemoved(&change) }
        case .rename(to: let name): reviewRenamed(change.path, to: name)
        case .change: cost = reviewChanged(&change)
        }
        changes.append(change)
        costs.append(cost)
        if let work = cost.work {
            let entities = scope.entities(changedAt: change.path).map { "'\($0)'" }.joined(separator: ", ")
            guard !entities.isEmpty else { return }
            find(
                .slowOnLargeTables, at: change.path, message: "\(work) \(entities); \(cost.text)",
                help: "Nothing needs to be done: a large store takes this long to open once.", level: .note)
        }
    }

    // MARK: Renames

    private mutating func report(_ guess: RenameGuess) {
        for (former, new) in guess.candidates {
            let names = new.map { "'\($0)'" }.joined(separator: " or ")
            let isType = former.member == nil
            let same = isType ? "with mostly the same members" : "of the same type"
            let shown = scope.formerPath(of: former)
            var answers = new.map { candidate in
                ReviewFinding.Answer(
                    condition: new.count == 1 ? "If it is the same" : "If it is '\(candidate)'",
                    flags: "--rename \(shown)=\(candidate.member ?? candidate.type)")
            }
            answers.append(ReviewFinding.Answer(condition: "If it is not", flags: "--remove \(shown)"))
            findings.append(
                ReviewFinding(
                    code: .possibleRename, level: .error, path: new[0],
                    message: "'\(shown)' is gone and \(names) has come, \(same)", answers: answers))
            if new.count == 1 { reviewWire(from: shown, to: new[0]) }
        }
    }

    private mutating func reviewRenamed(_ path: MemberPath, to name: String) {
        let new = path.member == nil ? MemberPath(name) : MemberPath(path.type, member: name)
        // Names that change places are renamed in two steps, the first of which leads to no name of the schema.
        reviewWire(from: scope.formerPath(of: new), to: new)
    }

    // MARK: Hints for whole entities

    /// Adds `--refetch` to the first change of an entity if no change needs it.
    private mutating func pullAgain() {
        for entity in hints.refetched.sorted() where !used.contains(HintUse("--refetch", path: MemberPath(entity))) {
            guard let index = changes.firstIndex(where: { $0.path.type == entity }) else { continue }
            var change = changes[index]
            _ = takeRefetch(&change)
            changes[index] = change
        }
    }

    /// Adds the reason to what is removed; to the first change if nothing is.
    private mutating func explain() {
        guard let because = hints.because, !changes.isEmpty else { return }
        let removals = changes.indices.filter { index in
            if case .remove = changes[index].action { true } else { false }
        }
        for index in removals.isEmpty ? [0] : removals { changes[index].answers.because = because }
    }
}
