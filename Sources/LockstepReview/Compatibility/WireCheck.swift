package import LockstepEvolution

/// Compares what two versions of a schema send, for apps and servers of both.
///
/// A server is as the schema of its version says: it has those paths, sends those keys, and needs what is required and
/// has no default. What it does with unknown keys is not known. A key that a newer server does not have any more is
/// dangerous: it may refuse it, and what older apps write under it is lost. One that an older server does not have yet
/// is safe, because it is kept as soon as the server has it.
package struct WireCheck {
    /// In the order of entities and members, by name.
    package private(set) var findings: [WireFinding] = []
    let evolution: SchemaEvolution
    private let older: SentEntities
    private let newer: SentEntities

    /// Compares the structures at both ends of an evolution, member by member: a renamed one is the same.
    package init(_ evolution: SchemaEvolution) {
        self.evolution = evolution
        older = SentEntities(evolution.former)
        newer = SentEntities(evolution.new)
        for entity in evolution.new.entities.sorted(by: { $0.name < $1.name }) { check(entity) }
        for name in evolution.removedEntities.keys.sorted() {
            guard let entity = evolution.former.entity(name), let remote = entity.remote else { continue }
            checkPathRemoved(MemberPath(name), remote: remote)
        }
        for enumeration in evolution.new.enumerations.sorted(by: { $0.name < $1.name }) { check(enumeration) }
    }

    /// Compares two structures by names alone.
    ///
    /// - Throws: `StructureError` if one of them cannot be applied changes to.
    package init(from older: SchemaTree, to newer: SchemaTree) throws(StructureError) {
        let changes = try SchemaDiff.changes(from: older, to: newer)
        let version = SchemaHistory.Version(number: 0, hash: StructureHash(newer), changes: changes)
        self.init(try SchemaEvolution(from: older, by: [version]))
    }

    mutating func add(
        _ code: WireCode, at path: MemberPath, direction: WireDirection, level: WireLevel, text: String,
        help: String = ""
    ) {
        findings.append(
            WireFinding(code: code, path: path, direction: direction, level: level, text: text, help: help))
    }

    // MARK: Entities

    private mutating func check(_ entity: EntityStructure) {
        let path = MemberPath(entity.name)
        guard let kept = evolution.entities[entity.name], let former = kept.origin.flatMap(evolution.former.entity)
        else {
            if let remote = entity.remote { checkPathAdded(path, remote: remote) }
            return
        }
        switch (former.remote, entity.remote) {
        case (let old?, let new?): check(path, from: old, to: new)
        case (nil, let new?): checkPathAdded(path, remote: new)
        case (let old?, nil): checkPathRemoved(path, remote: old)
        case (nil, nil): break
        }
        guard older.names.contains(former.name), newer.names.contains(entity.name) else { return }
        checkAttributes(EntityPair(older: former, newer: entity, evolution: kept))
        checkRelationships(EntityPair(older: former, newer: entity, evolution: kept))
    }

    /// An entity of both structures.
    struct EntityPair {
        let older: EntityStructure
        let newer: EntityStructure
        let evolution: EntityEvolution

        func path(_ member: String) -> MemberPath { MemberPath(newer.name, member: member) }

        /// Whether apps of the newer or the older version send records.
        func isWritten(byNewApp isNew: Bool) -> Bool {
            let remote = (isNew ? newer : older).remote
            return remote.map { !$0.writes.isDisjoint(with: [.create, .update]) } ?? true
        }

        /// Whether they send new records.
        func isCreated(byNewApp isNew: Bool) -> Bool {
            (isNew ? newer : older).remote.map { $0.writes.contains(.create) } ?? true
        }
    }

    private mutating func checkPathAdded(_ path: MemberPath, remote: RemoteStructure) {
        let text = "a server of {older} has no '\(remote.path)', from which apps of {newer} pull '\(path)'"
        let help = "Release the server first."
        add(.pathChanged, at: path, direction: .newAppReadsOldServer, level: .dangerous, text: text, help: help)
        guard !remote.writes.isEmpty else { return }
        add(
            .pathChanged, at: path, direction: .newAppWritesOldServer, level: .dangerous,
            text: "a server of {older} has no '\(remote.path)', to which apps of {newer} send '\(path)'", help: help)
    }

    private mutating func checkPathRemoved(_ path: MemberPath, remote: RemoteStructure) {
        let help = "Keep '\(remote.path)' on the server until no app of {older} is supported."
        add(
            .pathChanged, at: path, direction: .oldAppReadsNewServer, level: .breaking,
            text: "apps of {older} pull '\(path)' from '\(remote.path)', which a server of {newer} does not have",
            help: help)
        guard !remote.writes.isEmpty else { return }
        add(
            .pathChanged, at: path, direction: .oldAppWritesNewServer, level: .breaking,
            text: "apps of {older} send '\(path)' to '\(remote.path)', which a server of {newer} does not have",
            help: help)
    }

    private mutating func check(_ path: MemberPath, from old: RemoteStructure, to new: RemoteStructure) {
        if old.path != new.path {
            let help =
                "To go on as before, write 'path: \(old.path)'. Otherwise, keep both paths on the server."
            for direction in WireDirection.allCases {
                let (mine, theirs) = direction.isNewApp ? (new.path, old.path) : (old.path, new.path)
                let (app, server) = direction.isNewApp ? ("{newer}", "{older}") : ("{older}", "{newer}")
                let verb = direction.isReading ? "pull '\(path)' from" : "send '\(path)' to"
                add(
                    .pathChanged, at: path, direction: direction, level: .breaking,
                    text: "apps of \(app) \(verb) '\(mine)', and a server of \(server) has '\(theirs)'", help: help)
            }
        }
        if old.wrapKey != new.wrapKey {
            let help = "To go on as before, write \(old.wrapKey.map { "'wrap: \($0)'" } ?? "'wrap: false'")."
            for isNew in [true, false] {
                let (app, server) = isNew ? ("{newer}", "{older}") : ("{older}", "{newer}")
                add(
                    .pathChanged, at: path, direction: .writing(byNewApp: isNew), level: .breaking,
                    text: "apps of \(app) wrap '\(path)' in another key than a server of \(server) expects", help: help)
            }
        }
        for write in RemoteStructure.Write.allCases {
            if new.writes.contains(write), !old.writes.contains(write) {
                add(
                    .writeAdded, at: path, direction: .newAppWritesOldServer, level: .breaking,
                    text: "apps of {newer} \(write.rawValue) '\(path)', which a server of {older} does not accept",
                    help: "Release the server first.")
            } else if old.writes.contains(write), !new.writes.contains(write) {
                add(
                    .writeRemoved, at: path, direction: .oldAppWritesNewServer, level: .breaking,
                    text: "apps of {older} \(write.rawValue) '\(path)', which a server of {newer} does not accept",
                    help: "Let the server accept it until no app of {older} is supported.")
            }
        }
    }

    // MARK: Enums

    private mutating func check(_ enumeration: EnumerationStructure) {
        guard let former = formerEnumeration(of: enumeration) else { return }
        let (old, new) = (Set(former.cases.map(\.rawValue)), Set(enumeration.cases.map(\.rawValue)))
        for one in enumeration.cases where !old.contains(one.rawValue) && former.isClosed {
            let path = MemberPath(enumeration.name, member: one.name)
            add(
                .caseAddedToClosed, at: path, direction: .oldAppReadsNewServer, level: .breaking,
                text: "apps of {older} skip records with '\(one.name)', because '\(former.name)' is closed in them",
                help: "Write 'closed: false', and add cases when no app with the closed enum is supported.")
            add(
                .caseAddedToClosed, at: path, direction: .newAppWritesOldServer, level: .dangerous,
                text: "a server of {older} may not accept '\(one.name)', which apps of {newer} send",
                help: "Release the server first.")
        }
        guard enumeration.isClosed else { return }
        for one in former.cases where !new.contains(one.rawValue) {
            let path = MemberPath(enumeration.name)
            add(
                .typeChanged, at: path, direction: .newAppReadsOldServer, level: .breaking,
                text: "apps of {newer} skip records with '\(one.name)', which a server of {older} sends",
                help: "Keep the case, or write 'closed: false'.")
            add(
                .typeChanged, at: path, direction: .oldAppWritesNewServer, level: .dangerous,
                text: "apps of {older} send '\(one.name)', which a server of {newer} may not accept",
                help: "Let the server accept it until no app of {older} is supported.")
        }
        if !former.isClosed {
            add(
                .typeChanged, at: MemberPath(enumeration.name), direction: .newAppReadsOldServer, level: .dangerous,
                text: "apps of {newer} skip records with other values, because '\(enumeration.name)' is closed in them",
                help: "Write 'closed: false', unless the server has no other values.")
        }
    }

    /// The enum of the older structure: the type of the same attribute, which may have had another name.
    private func formerEnumeration(of enumeration: EnumerationStructure) -> EnumerationStructure? {
        for entity in evolution.new.entities where newer.names.contains(entity.name) {
            guard let kept = evolution.entities[entity.name], let former = kept.origin.flatMap(evolution.former.entity)
            else { continue }
            for attribute in entity.attributes
            where attribute.wire != nil && attribute.type.enumerationName == enumeration.name {
                let origin = kept.members[attribute.name]?.origin.flatMap(former.attribute)
                if let origin, origin.wire != nil, let name = origin.type.enumerationName {
                    return evolution.former.enumeration(name)
                }
            }
        }
        return nil
    }
}

/// The entities whose records are in JSON: those with a path, and what is embedded in them.
private struct SentEntities {
    private(set) var names: Set<String>

    init(_ structure: SchemaStructure) {
        names = Set(structure.entities.filter { $0.remote != nil }.map(\.name))
        var remaining = Array(names)
        while let name = remaining.popLast() {
            for relationship in structure.entity(name)?.relationships ?? [] {
                if case .embedded = relationship.wire, names.insert(relationship.destination).inserted {
                    remaining.append(relationship.destination)
                }
            }
        }
    }
}
