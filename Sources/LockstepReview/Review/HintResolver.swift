import LockstepEvolution
import LockstepJSON

/// Finds what hints name, and reports what does not exist.
struct HintResolver {
    /// With the new names of entities.
    private(set) var hints: ReviewHints
    /// By the former path; members have the former or the new name of their entity.
    private(set) var renames: [MemberPath: String]
    /// With the new names of entities.
    private(set) var removals: Set<MemberPath> = []
    /// The members that are removed although the new structure has something of that name.
    private(set) var replaced: Set<MemberPath> = []
    private(set) var problems: [HintProblem] = []
    private(set) var used: Set<HintUse> = []

    private let former: SchemaTree
    private let new: SchemaTree

    init(_ hints: ReviewHints, former: SchemaTree, new: SchemaTree) {
        self.hints = hints
        self.former = former
        self.new = new
        renames = [:]
        for (path, name) in hints.renames.sorted(by: { $0.key.description < $1.key.description })
        where path.member == nil {
            add(path, named: name)
        }
        for (path, name) in hints.renames.sorted(by: { $0.key.description < $1.key.description })
        where path.member != nil {
            add(path, named: name)
        }
        for path in hints.removals.sorted(by: { $0.description < $1.description }) { remove(path) }
        useNewNames()
    }

    /// Adds renames that need no word.
    mutating func add(_ renames: [MemberPath: String]) {
        self.renames.merge(renames) { first, _ in first }
    }

    /// The former tree after the renames.
    func renamed() -> SchemaTree {
        (try? SchemaDiff.renamed(former, to: new, renames: renames)) ?? former
    }

    // MARK: Names

    private func newType(_ name: String) -> String { renames[MemberPath(name)] ?? name }

    private func formerType(_ name: String) -> String {
        renames.first { $0.key.member == nil && $0.value == name }?.key.type ?? name
    }

    private mutating func add(_ path: MemberPath, named name: String) {
        let hint = "--rename \(path)=\(name)"
        if let member = path.member {
            let type = formerType(path.type)
            guard check(MemberPath(type, member: member), in: former, at: "the recorded version", hint: hint),
                check(MemberPath(newType(type), member: name), in: new, at: "the schema", hint: hint)
            else { return }
            let isTaken = former.entities[type]?.members[name] != nil
            if isTaken, ![type, newType(type)].contains(where: { hints.renames[MemberPath($0, member: name)] != nil }) {
                let taken = MemberPath(type, member: name)
                return fail(hint, reason: "'\(taken)' existed already. Remove it in a version of its own first")
            }
            renames[MemberPath(type, member: member)] = name
        } else {
            guard check(path, in: former, at: "the recorded version", hint: hint),
                check(MemberPath(name), in: new, at: "the schema", hint: hint)
            else { return }
            if former.definition(of: MemberPath(name)) != nil, hints.renames[MemberPath(name)] == nil {
                return fail(hint, reason: "'\(name)' existed already. Remove it in a version of its own first")
            }
            renames[path] = name
        }
        used.insert(HintUse("--rename", path: path))
    }

    private mutating func remove(_ path: MemberPath) {
        let hint = "--remove \(path)"
        let type = formerType(path.type)
        guard check(MemberPath(type, member: path.member), in: former, at: "the recorded version", hint: hint) else {
            return
        }
        let former = self.former.definition(of: MemberPath(type, member: path.member))
        let path = MemberPath(newType(type), member: path.member)
        if let definition = new.definition(of: path) {
            guard definition != former else {
                return fail(hint, reason: "'\(path)' is still in the schema, and has not changed")
            }
            replaced.insert(path)
        }
        removals.insert(path)
        used.insert(HintUse("--remove", path: path))
    }

    /// Whether something exists; otherwise, reports what does.
    private mutating func check(_ path: MemberPath, in tree: SchemaTree, at location: String, hint: String) -> Bool {
        guard tree.definition(of: path) == nil else { return true }
        let isType = path.member == nil || tree.definition(of: MemberPath(path.type)) == nil
        let known =
            isType
            ? (tree.entities.keys.sorted() + tree.enumerations.keys.sorted())
            : tree.entities[path.type]?.members.keys.sorted().map { "\(path.type).\($0)" } ?? []
        let shown = isType ? MemberPath(path.type) : path
        fail(hint, reason: "There is no '\(shown)' in \(location), which has \(known.joined(separator: ", "))")
        return false
    }

    private mutating func fail(_ hint: String, reason: String) {
        problems.append(HintProblem(hint, reason: reason, use: HintUse(hint: hint)))
    }

    // MARK: Paths of other hints

    /// Replaces former names in the paths of the other hints by the new ones.
    private mutating func useNewNames() {
        func new(_ path: MemberPath) -> MemberPath {
            let type = newType(path.type)
            guard let member = path.member else { return MemberPath(type) }
            let name = renames[MemberPath(formerType(path.type), member: member)] ?? member
            return MemberPath(type, member: name)
        }
        func mapped<Value>(_ values: [MemberPath: Value]) -> [MemberPath: Value] {
            Dictionary(values.map { (new($0.key), $0.value) }) { first, _ in first }
        }
        hints.fills = mapped(hints.fills)
        hints.conversions = mapped(hints.conversions)
        hints.otherwise = mapped(hints.otherwise)
        hints.duplicates = mapped(hints.duplicates)
        hints.firsts = mapped(hints.firsts)
        hints.refetched = Set(hints.refetched.map(newType))
        hints.cases = Dictionary(
            hints.cases.map { (MemberPath(newType($0.key.type), member: $0.key.member), $0.value) }
        ) { first, _ in first }
    }
}
