import LockstepEvolution
import TestSupport

/// One version's changes of a structure: what it becomes, where everything comes from, and what is answered.
struct RandomStep {
    var structure: SchemaStructure
    var random: SeededRandom
    /// The former names of everything that was there before, by its present path.
    private(set) var origins: [MemberPath: MemberPath] = [:]
    /// By present path.
    var answers: [MemberPath: ChangeAnswers] = [:]
    /// What has changed in this step, so that nothing is answered twice.
    var touched: Set<MemberPath> = []
    /// Whether records may be deleted, to be pulled again.
    let mayPullAgain: Bool
    private let former: SchemaStructure

    init(_ structure: SchemaStructure, _ random: SeededRandom, mayPullAgain: Bool = true) {
        self.mayPullAgain = mayPullAgain
        self.structure = structure
        self.random = random
        former = structure
        for path in Self.paths(structure) { origins[path] = path }
    }

    private static func paths(_ structure: SchemaStructure) -> [MemberPath] {
        structure.enumerations.map { MemberPath($0.name) }
            + structure.entities.flatMap { entity in
                [MemberPath(entity.name)]
                    + (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map {
                        MemberPath(entity.name, member: $0)
                    }
            }
    }

    /// Whether it is in the version before, too.
    func isOld(_ path: MemberPath) -> Bool { origins[path] != nil }

    // MARK: Names

    /// Records that something, with its members, has another name, or that two things change places.
    mutating func move(_ names: [MemberPath: MemberPath]) {
        func moved(_ path: MemberPath) -> MemberPath {
            if let new = names[path] { return new }
            guard let member = path.member, let type = names[MemberPath(path.type)] else { return path }
            return MemberPath(type.type, member: member)
        }
        origins = Dictionary(origins.map { (moved($0), $1) }, uniquingKeysWith: { first, _ in first })
        answers = Dictionary(answers.map { (moved($0), $1) }, uniquingKeysWith: { first, _ in first })
        touched = Set(touched.map(moved))
    }

    /// Records that something was removed, with its members.
    mutating func forget(_ path: MemberPath) {
        let isMember = { (other: MemberPath) in other == path || path.member == nil && other.type == path.type }
        origins = origins.filter { !isMember($0.key) }
        answers = answers.filter { !isMember($0.key) }
        touched = touched.filter { !isMember($0) }
    }

    // MARK: Recording

    /// The recorded changes, with their answers.
    func changes(from tree: SchemaTree) throws -> [SchemaChange] {
        var changes = try SchemaDiff.changes(
            from: tree, to: SchemaTree(structure), renames: renames, replaced: replaced)
        for index in changes.indices {
            switch changes[index].action {
            case .add, .change:
                if let answer = answers[changes[index].path] { changes[index].answers = answer }
            case .remove: changes[index].answers.because = "Nobody needs it."
            case .rename: break
            }
        }
        return changes
    }

    private var renames: [MemberPath: String] {
        var renames: [MemberPath: String] = [:]
        for (path, origin) in origins {
            if let member = path.member {
                if member != origin.member { renames[origin] = member }
            } else if path.type != origin.type {
                renames[origin] = path.type
            }
        }
        return renames
    }

    /// What has the name that something else had, by the entity's new name.
    private var replaced: Set<MemberPath> {
        let present = Set(Self.paths(structure))
        let types = Dictionary(origins.filter { $0.key.member == nil }.map { ($1.type, $0.type) }) { first, _ in first }
        let kept = Set(origins.values)
        var replaced: Set<MemberPath> = []
        for path in Self.paths(former) where !kept.contains(path) {
            let current = path.member == nil ? path : types[path.type].map { MemberPath($0, member: path.member) }
            guard let current, present.contains(current), origins[current] == nil else { continue }
            replaced.insert(current)
        }
        return replaced
    }
}

extension RandomStep {
    mutating func change(_ kind: RandomHistory.Kind) {
        switch kind {
        case .addAttribute: addAttribute()
        case .renameAttribute: renameAttribute()
        case .swapAttributes: swapAttributes()
        case .removeAttribute: removeAttribute()
        case .replaceAttribute: replaceAttribute()
        case .widen: widen()
        case .convert: convert()
        case .require: require()
        case .relax: relax()
        case .tighten: tighten()
        case .loosen: loosen()
        case .changeDefault: changeDefault()
        case .changeWire: changeWire()
        case .becomeUnique: becomeUnique()
        case .stopBeingUnique: stopBeingUnique()
        case .addIndex: addIndex()
        case .removeIndex: removeIndex()
        case .refetch: refetch()
        default: changeOther(kind)
        }
    }

    private mutating func changeOther(_ kind: RandomHistory.Kind) {
        switch kind {
        case .addCase: addCase()
        case .removeCase: removeCase()
        case .openOrClose: openOrClose()
        case .renameEnumeration: renameEnumeration()
        case .removeEnumeration: removeEnumeration()
        case .addEntity: addEntity()
        case .renameEntity: renameEntity()
        case .renameTable: renameTable()
        case .removeEntity: removeEntity()
        case .replaceEntity: replaceEntity()
        case .changeRemote: changeRemote()
        case .changeLocality: changeLocality()
        case .addRelationship: addRelationship()
        case .renameRelationship: renameRelationship()
        case .removeRelationship: removeRelationship()
        case .replaceRelationship: replaceRelationship()
        case .changeOrder: changeOrder()
        case .changeEnds: changeEnds()
        case .changeRule: changeRule()
        case .changeRequirement: changeRequirement()
        default: break
        }
    }
}

extension RandomStep {
    /// Where something comes from; `nil` if it is new.
    func origin(of path: MemberPath) -> MemberPath? { origins[path] }

    /// Records that removed members are nevertheless these.
    mutating func keep(_ former: [MemberPath: MemberPath?]) {
        for (path, origin) in former { origins[path] = origin }
    }
}
