import LockstepEvolution

extension WireCheck {
    mutating func checkAttributes(_ pair: EntityPair) {
        var gone = pair.older.attributes.filter { $0.wire != nil }
        var come: [AttributeStructure] = []
        for attribute in pair.newer.attributes.sorted(by: { $0.name < $1.name }) where attribute.wire != nil {
            let origin = pair.evolution.members[attribute.name]?.origin
            if let index = gone.firstIndex(where: { $0.name == origin }) {
                check(pair, from: gone.remove(at: index), to: attribute)
            } else {
                come.append(attribute)
            }
        }
        // Another member with the same key is the same in JSON.
        for attribute in come {
            if let index = gone.firstIndex(where: { $0.wire?.path == attribute.wire?.path }) {
                check(pair, from: gone.remove(at: index), to: attribute)
            } else {
                checkAdded(pair, attribute: attribute)
            }
        }
        for attribute in gone { checkRemoved(pair, attribute: attribute) }
    }

    // MARK: Added and removed

    private mutating func checkAdded(_ pair: EntityPair, attribute: AttributeStructure) {
        let path = pair.path(attribute.name)
        let key = Self.text(attribute.wire?.path ?? [])
        if attribute.isNeeded {
            add(
                .requiredAdded, at: path, direction: .newAppReadsOldServer, level: .breaking,
                text: "apps of {newer} skip records without '\(key)', which a server of {older} does not send",
                help: "Give it a default, or make it optional.")
        }
        // What only the server sets is not written.
        if attribute.wire?.isReadOnly == true { return }
        if pair.isWritten(byNewApp: true) {
            add(
                .keyAdded, at: path, direction: .newAppWritesOldServer, level: .safe,
                text: "a server of {older} does not know '\(key)', which apps of {newer} send")
        }
        guard pair.isCreated(byNewApp: false), !attribute.isOptional else { return }
        if attribute.isNeeded {
            add(
                .requiredAdded, at: path, direction: .oldAppWritesNewServer, level: .breaking,
                text: "apps of {older} create records without '\(key)', which a server of {newer} needs",
                help: "Give it a default, here and on the server, or make it optional.")
        } else {
            add(
                .keyAdded, at: path, direction: .oldAppWritesNewServer, level: .safe,
                text: "apps of {older} create records without '\(key)', for which a server of {newer} has a default")
        }
    }

    private mutating func checkRemoved(_ pair: EntityPair, attribute: AttributeStructure) {
        let path = pair.path(attribute.name)
        let key = Self.text(attribute.wire?.path ?? [])
        let help = "Keep '\(key)' on the server until no app of {older} is supported."
        add(
            .keyRemoved, at: path, direction: .oldAppReadsNewServer, level: attribute.isNeeded ? .breaking : .safe,
            text: attribute.isNeeded
                ? "apps of {older} skip new records without '\(key)', which a server of {newer} does not send"
                : "apps of {older} keep their values of '\(key)', which a server of {newer} does not send", help: help)
        // What only the server sets is not written.
        if attribute.wire?.isReadOnly == true { return }
        if !attribute.isOptional, pair.isCreated(byNewApp: true) {
            add(
                .keyRemoved, at: path, direction: .newAppWritesOldServer,
                level: attribute.isNeeded ? .breaking : .dangerous,
                text: "apps of {newer} create records without '\(key)', which a server of {older} needs"
                    + (attribute.isNeeded ? "" : " if it has no default"),
                help: "Release the server first.")
        }
        if pair.isWritten(byNewApp: false) {
            add(
                .keyRemoved, at: path, direction: .oldAppWritesNewServer, level: .dangerous,
                text: "apps of {older} send '\(key)', which a server of {newer} does not keep, and may not accept",
                help: help)
        }
    }

    // MARK: Kept

    private mutating func check(_ pair: EntityPair, from old: AttributeStructure, to new: AttributeStructure) {
        guard let former = old.wire, let wire = new.wire else { return }
        if former.path != wire.path { checkKey(pair, from: old, to: new, former: former, wire: wire) }
        let forms = (
            old: ValueForm(old.type, format: former.format, enumeration: evolution.former.enumeration),
            new: ValueForm(new.type, format: wire.format, enumeration: evolution.new.enumeration)
        )
        let code: WireCode = forms.old.isSameType(as: forms.new) ? .formChanged : .typeChanged
        for isNew in [true, false] {
            let (app, server) = isNew ? (new, old) : (old, new)
            let (appForm, serverForm) = isNew ? (forms.new, forms.old) : (forms.old, forms.new)
            checkReading(
                pair, code: code, app: app, form: appForm, of: server, written: serverForm, isNew: isNew, at: new.name)
            guard pair.isWritten(byNewApp: isNew) else { continue }
            // What only the server sets is not written.
            if app.wire?.isReadOnly == true {
                checkUnsent(pair, app: app, server: server, isNew: isNew)
                continue
            }
            checkWriting(
                pair, code: code, app: app, form: appForm, to: server, expected: serverForm, isNew: isNew, at: new.name)
        }
    }

    /// An app that does not send an attribute, and a server that may need it.
    private mutating func checkUnsent(
        _ pair: EntityPair, app: AttributeStructure, server: AttributeStructure, isNew: Bool
    ) {
        guard server.wire?.isReadOnly == false, !server.isOptional, pair.isCreated(byNewApp: isNew) else { return }
        let (apps, servers) = isNew ? ("{newer}", "{older}") : ("{older}", "{newer}")
        add(
            .keyRemoved, at: pair.path(app.name), direction: isNew ? .newAppWritesOldServer : .oldAppWritesNewServer,
            level: server.isNeeded ? .breaking : .dangerous,
            text: "apps of \(apps) create records without '\(app.name)', which a server of \(servers) needs"
                + (server.isNeeded ? "" : " if it has no default"),
            help: isNew ? "Release the server first." : "Release the app first.")
    }

    private mutating func checkKey(
        _ pair: EntityPair, from old: AttributeStructure, to new: AttributeStructure, former: WireStructure,
        wire: WireStructure
    ) {
        let (oldKey, newKey) = (Self.text(former.path), Self.text(wire.path))
        let path = pair.path(new.name)
        let asBefore = "To go on as before, write 'key: \(Self.yaml(former.path))'."
        if !wire.reads(former.path) {
            add(
                .keyChanged, at: path, direction: .newAppReadsOldServer, level: new.isNeeded ? .breaking : .dangerous,
                text: "apps of {newer} read '\(newKey)', and a server of {older} sends '\(oldKey)'",
                help: asBefore + " To read both, write 'formerKeys: [\(Self.yaml(former.path))]'.")
        }
        if !former.reads(wire.path) {
            add(
                .keyChanged, at: path, direction: .oldAppReadsNewServer, level: old.isNeeded ? .breaking : .dangerous,
                text: "apps of {older} read '\(oldKey)', which a server of {newer} sends as '\(newKey)'",
                help: asBefore + " Otherwise, let the server send both until no app of {older} is supported.")
        }
        if pair.isWritten(byNewApp: true) {
            add(
                .keyChanged, at: path, direction: .newAppWritesOldServer, level: old.isNeeded ? .breaking : .dangerous,
                text: "apps of {newer} send '\(newKey)'; a server made for {older} may not read it",
                help: asBefore + " Otherwise, let the server read both, and release it first.")
        }
        if pair.isWritten(byNewApp: false) {
            add(
                .keyChanged, at: path, direction: .oldAppWritesNewServer, level: new.isNeeded ? .breaking : .dangerous,
                text: "apps of {older} send '\(oldKey)'; a server made for {newer} may not read it",
                help: asBefore + " Otherwise, let the server read both until no app of {older} is supported.")
        }
    }

    private mutating func checkReading(
        _ pair: EntityPair, code: WireCode, app: AttributeStructure, form: ValueForm,
        of server: AttributeStructure, written: ValueForm, isNew: Bool, at name: String
    ) {
        let (reader, writer) = isNew ? ("{newer}", "{older}") : ("{older}", "{newer}")
        let direction = WireDirection.reading(byNewApp: isNew)
        let path = pair.path(name)
        let level = form.reading(written)
        if level > .safe {
            add(
                code, at: path, direction: direction, level: level,
                text: "apps of \(reader) read '\(app.name)' as \(form.text), "
                    + "and a server of \(writer) sends \(written.text)"
                    + (level == .breaking ? "" : ", which they can read in part"),
                help: isNew
                    ? "Keep the form, or add an attribute with the new one."
                    : "Keep the form until no app of {older} is supported, or add an attribute with the new one.")
        }
        if app.isNeeded, server.isOptional {
            add(
                .typeChanged, at: path, direction: direction, level: .dangerous,
                text:
                    "apps of \(reader) skip records without '\(app.name)', which a server of \(writer) may leave empty",
                help: isNew ? "Give it a default, or keep it optional." : "Let the server send a value.")
        }
        if app.limits.isNarrower(than: server.limits) {
            add(
                .formChanged, at: path, direction: direction, level: .dangerous,
                text: "apps of \(reader) skip records with values of '\(app.name)' that only \(writer) allows",
                help: "Keep the limits as wide as those of the server.")
        }
    }

    private mutating func checkWriting(
        _ pair: EntityPair, code: WireCode, app: AttributeStructure, form: ValueForm,
        to server: AttributeStructure, expected: ValueForm, isNew: Bool, at name: String
    ) {
        let (writer, reader) = isNew ? ("{newer}", "{older}") : ("{older}", "{newer}")
        let direction = WireDirection.writing(byNewApp: isNew)
        let path = pair.path(name)
        let help =
            isNew ? "Release the server first." : "Let the server read both until no app of {older} is supported."
        if !expected.accepts(form) {
            add(
                code, at: path, direction: direction, level: .dangerous,
                text: "apps of \(writer) send '\(app.name)' as \(form.text), and a server of \(reader) expects "
                    + expected.text, help: help)
        }
        if server.isNeeded, app.isOptional {
            add(
                .typeChanged, at: path, direction: direction, level: .dangerous,
                text: "apps of \(writer) may send no '\(app.name)', which a server of \(reader) needs", help: help)
        }
        if server.limits.isNarrower(than: app.limits) {
            add(
                .formChanged, at: path, direction: direction, level: .dangerous,
                text: "apps of \(writer) send values of '\(app.name)' that a server of \(reader) does not allow",
                help: help)
        }
    }

    // MARK: Texts

    static func text(_ path: [String]) -> String { path.joined(separator: ".") }

    /// A key as it is written in a schema.
    static func yaml(_ path: [String]) -> String { path.count == 1 ? path[0] : "[\(path.joined(separator: ", "))]" }
}

extension AttributeStructure {
    /// Whether a record without it is invalid.
    var isNeeded: Bool { !isOptional && defaultValue == nil }
}

extension WireStructure {
    /// Whether a reader finds what was sent at a path: under its key, a former one, or another spelling (N1).
    func reads(_ sent: [String]) -> Bool {
        func plain(_ path: [String]) -> [String] { path.map { $0.lowercased().filter { $0 != "_" } } }
        return plain(path) == plain(sent) || formerPaths.contains(sent)
    }
}

extension ValueForm {
    /// The name in a message.
    var text: String {
        switch self {
        case .string, .day, .url, .uuid, .data, .attachment, .json: "\(self)"
        case .bool(let isText): isText ? "text of bools" : "bools"
        case .whole(let bits, let isText): isText ? "text of integers" : "integers of \(bits) bits"
        case .number(let type, let isText): isText ? "text of numbers" : "\(type.rawValue) numbers"
        case .date(let format): "dates as \(format)"
        case .enumeration(let isInteger, _): isInteger ? "integers of an enum" : "texts of an enum"
        case .list(let element): "lists of \(element.text)"
        }
    }

    /// Whether only the format differs.
    func isSameType(as other: ValueForm) -> Bool {
        switch (self, other) {
        case (.bool, .bool), (.date, .date): true
        case (.whole(let bits, _), .whole(let others, _)): bits == others
        case (.number(let type, _), .number(let others, _)): type == others
        case (.list(let element), .list(let others)): element.isSameType(as: others)
        default: self == other
        }
    }
}
