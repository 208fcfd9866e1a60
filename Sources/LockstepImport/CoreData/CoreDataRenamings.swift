import LockstepEvolution
import LockstepSchema

/// The renamings between two versions.
///
/// Core Data compares renaming identifiers: something that has none has its name as one. So `a` with the identifier `b`
/// and `b` with the identifier `a` have changed places, and a name of the last but one version is not needed.
struct CoreDataRenamings {
    /// The new names, by the former paths.
    private(set) var renames: [MemberPath: String] = [:]
    /// The outcomes of the identifiers that name something of the former version.
    private(set) var outcomes: [ImportRenaming: Outcome] = [:]
    /// The renames that cannot be recorded, because something else has the name.
    private(set) var conflicts: [String] = []

    enum Outcome {
        case followed
        /// Something else has the same identifier.
        case repeated
    }

    /// A rename in the order in which it was found.
    private struct Candidate {
        let former: MemberPath
        let name: String
    }

    init(from former: CoreDataVersions.Version, to version: CoreDataVersions.Version) {
        let (old, new) = (CoreDataIdentifiers(former.report), CoreDataIdentifiers(version.report))
        var taken: Set<String> = []
        var found: [Candidate] = []
        for entity in version.tree.entities.keys.sorted() {
            let id = new.type(entity)
            guard let earlier = former.tree.entities.keys.sorted().first(where: { old.type($0) == id }) else {
                continue
            }
            let isFirst = taken.insert(earlier).inserted
            note(new.types[entity], isFirst: isFirst)
            guard earlier != entity, isFirst else { continue }
            found.append(Candidate(former: MemberPath(earlier), name: entity))
        }
        record(found) { former.tree.entities[$0.name] != nil }
        for entity in version.tree.entities.keys.sorted() {
            let type = renames.first { $0.key.member == nil && $0.value == entity }?.key.type ?? entity
            guard let members = former.tree.entities[type]?.members else { continue }
            (taken, found) = ([], [])
            for member in version.tree.entities[entity]?.members.keys.sorted() ?? [] {
                let path = MemberPath(entity, member: member)
                let id = new.member(path)
                guard
                    let earlier = members.keys.sorted().first(where: { old.member(MemberPath(type, member: $0)) == id })
                else { continue }
                let isFirst = taken.insert(earlier).inserted
                note(new.members[path], isFirst: isFirst)
                guard earlier != member, isFirst else { continue }
                found.append(Candidate(former: MemberPath(type, member: earlier), name: member))
            }
            record(found) { members[$0.name] != nil }
        }
    }

    private mutating func note(_ renaming: ImportRenaming?, isFirst: Bool) {
        if let renaming { outcomes[renaming] = isFirst ? .followed : .repeated }
    }

    /// Adds the renames to names that nothing had, or that were renamed, too.
    private mutating func record(_ candidates: [Candidate], isTaken: (Candidate) -> Bool) {
        var open = candidates
        while true {
            let leaving = Set(open.map { $0.former.member ?? $0.former.type })
            guard let index = open.firstIndex(where: { isTaken($0) && !leaving.contains($0.name) }) else { break }
            let conflict = open.remove(at: index)
            conflicts.append(
                "'\(conflict.former)' cannot be renamed to '\(conflict.name)', because the version before it has both")
        }
        for candidate in open { renames[candidate.former] = candidate.name }
    }
}

/// The renaming identifiers of a version, by the names in the schema.
private struct CoreDataIdentifiers {
    private(set) var types: [String: ImportRenaming] = [:]
    private(set) var members: [MemberPath: ImportRenaming] = [:]

    init(_ report: ImportReport) {
        for renaming in report.notes.compactMap(\.renaming) {
            for entity in renaming.entities {
                if let member = renaming.member {
                    members[MemberPath(entity, member: member)] = renaming
                } else {
                    types[entity] = renaming
                }
            }
        }
    }

    /// The identifier of an entity.
    func type(_ entity: String) -> String { types[entity]?.former ?? entity }

    /// The identifier of a member.
    func member(_ path: MemberPath) -> String { members[path]?.former ?? path.member ?? "" }
}
