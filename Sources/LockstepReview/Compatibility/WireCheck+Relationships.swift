import LockstepEvolution

extension WireCheck {
    mutating func checkRelationships(_ pair: EntityPair) {
        // A relationship that is stored in another way is another member, but the same in JSON.
        var gone = pair.older.relationships.filter { $0.wire != .none }
        for relationship in pair.newer.relationships.sorted(by: { $0.name < $1.name }) where relationship.wire != .none
        {
            let origin = pair.evolution.members[relationship.name]?.origin ?? relationship.name
            if let index = gone.firstIndex(where: { $0.name == origin }) {
                check(pair, from: gone.remove(at: index), to: relationship)
            } else {
                checkAdded(pair, for: relationship)
            }
        }
        for relationship in gone { checkRemoved(pair, for: relationship) }
    }

    private mutating func checkAdded(_ pair: EntityPair, for relationship: RelationshipStructure) {
        let path = pair.path(relationship.name)
        let key = relationship.wire.text
        if pair.isWritten(byNewApp: true) {
            add(
                .keyAdded, at: path, direction: .newAppWritesOldServer, level: .safe,
                text: "a server of {older} does not know '\(key)', which apps of {newer} send")
        }
        guard relationship.isNeeded else { return }
        add(
            .requiredAdded, at: path, direction: .newAppReadsOldServer, level: .breaking,
            text: "apps of {newer} skip records without '\(key)', which a server of {older} does not send",
            help: "Make it optional.")
        guard pair.isCreated(byNewApp: false) else { return }
        add(
            .requiredAdded, at: path, direction: .oldAppWritesNewServer, level: .breaking,
            text: "apps of {older} create records without '\(key)', which a server of {newer} needs",
            help: "Make it optional.")
    }

    private mutating func checkRemoved(_ pair: EntityPair, for relationship: RelationshipStructure) {
        let path = pair.path(relationship.name)
        let key = relationship.wire.text
        let help = "Keep '\(key)' on the server until no app of {older} is supported."
        if pair.isWritten(byNewApp: false) {
            add(
                .keyRemoved, at: path, direction: .oldAppWritesNewServer, level: .dangerous,
                text: "apps of {older} send '\(key)', which a server of {newer} does not keep, and may not accept",
                help: help)
        }
        add(
            .keyRemoved, at: path, direction: .oldAppReadsNewServer, level: relationship.isNeeded ? .breaking : .safe,
            text: relationship.isNeeded
                ? "apps of {older} skip new records without '\(key)', which a server of {newer} does not send"
                : "apps of {older} keep their links of '\(key)', which a server of {newer} does not send", help: help)
        if relationship.isNeeded, pair.isCreated(byNewApp: true) {
            add(
                .keyRemoved, at: path, direction: .newAppWritesOldServer, level: .breaking,
                text: "apps of {newer} create records without '\(key)', which a server of {older} needs",
                help: "Release the server first.")
        }
    }

    private mutating func check(_ pair: EntityPair, from old: RelationshipStructure, to new: RelationshipStructure) {
        let path = pair.path(new.name)
        if old.wire != new.wire {
            let code: WireCode = old.wire.kind == new.wire.kind ? .keyChanged : .embeddingChanged
            let texts = (
                old: old.wire.description(isToMany: old.isToMany), new: new.wire.description(isToMany: new.isToMany)
            )
            for isNew in [true, false] {
                let (app, server) = isNew ? (new, old) : (old, new)
                let (appText, serverText) = isNew ? (texts.new, texts.old) : (texts.old, texts.new)
                let (mine, theirs) = isNew ? ("{newer}", "{older}") : ("{older}", "{newer}")
                if !app.reads(server) {
                    add(
                        code, at: path, direction: .reading(byNewApp: isNew),
                        level: app.isNeeded ? .breaking : .dangerous,
                        text: "apps of \(mine) read \(appText), and a server of \(theirs) sends \(serverText)",
                        help: isNew
                            ? "Keep the form." : "Let the server send both until no app of {older} is supported.")
                }
                guard app.wire.sent != server.wire.sent, pair.isWritten(byNewApp: isNew) else { continue }
                add(
                    code, at: path, direction: .writing(byNewApp: isNew), level: .dangerous,
                    text: "apps of \(mine) send \(appText), and a server of \(theirs) expects \(serverText)",
                    help: isNew
                        ? "Release the server first." : "Let the server read both until no app of {older} is supported."
                )
            }
        }
        guard old.isToMany == new.isToMany, old.isNeeded != new.isNeeded else { return }
        let isNew = new.isNeeded
        let (mine, theirs) = isNew ? ("{newer}", "{older}") : ("{older}", "{newer}")
        add(
            .typeChanged, at: path, direction: .reading(byNewApp: isNew), level: .dangerous,
            text: "apps of \(mine) skip records without '\(new.name)', which a server of \(theirs) may leave empty",
            help: isNew ? "Keep it optional." : "Let the server send a value.")
        guard pair.isWritten(byNewApp: !isNew) else { return }
        add(
            .typeChanged, at: path, direction: .writing(byNewApp: !isNew), level: .dangerous,
            text: "apps of \(theirs) may send no '\(new.name)', which a server of \(mine) needs",
            help: isNew ? "Keep it optional." : "Release the server first.")
    }
}

extension RelationshipStructure {
    /// Whether a record without it is invalid.
    fileprivate var isNeeded: Bool { !isToMany && !isOptional && wire != .none }

    /// Whether an app of this version finds the links that a server of another one sends (R1).
    fileprivate func reads(_ server: RelationshipStructure) -> Bool {
        guard isToMany == server.isToMany else { return false }
        switch (wire, server.wire) {
        case (.id(let paths, _), .id(let sent, _)): return paths == sent
        case (.id(_, let embedded), .embedded(let sent, _)): return embedded == sent
        case (.ids(let path, _), .ids(let sent, _)), (.embedded(_, let path), .ids(let sent, _)): return path == sent
        case (.embedded(let path, _), .embedded(let sent, _)), (.ids(_, let path), .embedded(let sent, _)):
            return path == sent
        // A server that embeds a record sends its key too, unless the schema says otherwise.
        default: return wire == server.wire
        }
    }
}

extension RelationshipWire {
    fileprivate enum Kind { case none, id, ids, embedded }

    fileprivate var kind: Kind {
        switch self {
        case .none: .none
        case .id: .id
        case .ids: .ids
        case .embedded: .embedded
        }
    }

    /// The wire form that is sent: an object that is only read does not count.
    fileprivate var sent: RelationshipWire {
        switch self {
        case .none: .none
        case .id(let paths, _): .id(paths: paths, embeddedPath: [])
        case .ids(let path, _): .ids(path: path)
        case .embedded(let path, _): .embedded(path: path)
        }
    }

    /// Its keys.
    fileprivate var text: String {
        switch self {
        case .none: ""
        case .id(let paths, _): paths.map(WireCheck.text).joined(separator: "', '")
        case .ids(let path, _), .embedded(let path, _): WireCheck.text(path)
        }
    }

    fileprivate func description(isToMany: Bool) -> String {
        switch self {
        case .none: "nothing"
        case .id: "the key '\(text)'"
        case .ids: "the keys '\(text)'"
        case .embedded: isToMany ? "the records '\(text)'" : "the record '\(text)'"
        }
    }
}
