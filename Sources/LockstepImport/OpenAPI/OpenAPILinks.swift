import LockstepJSON
import LockstepSchema

/// Makes relationships of attributes with identities (`author_id`), and finds out which relationships are inverse to
/// each other.
struct OpenAPILinks {
    private let context: OpenAPIContext
    /// The entities by their names, as names are compared.
    private var entities: [String: String] = [:]
    /// The types of the identities.
    private var identities: [String: String] = [:]
    private var indices: [String: Int] = [:]
    /// The entities with a path of their own.
    private let listed: Set<String>

    init(_ context: OpenAPIContext, sketch: inout SchemaSketch) {
        self.context = context
        listed = Set(context.paths.remotes.keys.compactMap { context.typeNames[$0] })
        for (index, entity) in sketch.entities.enumerated() {
            indices[entity.name] = index
            if !entity.isAbstract { entities[IdentityNames.plain(entity.name)] = entity.name }
        }
        // `user_id` means a `UserDto`, if there is no `User`.
        let others = Dictionary(
            grouping: sketch.entities.lazy.filter { !$0.isAbstract }.map(\.name),
            by: { IdentityNames.plain(IdentityNames.subject(of: $0)) })
        for (subject, names) in others where names.count == 1 && entities[subject] == nil {
            entities[subject] = names[0]
        }
        for entity in sketch.entities where !entity.isAbstract {
            identities[entity.name] = identityType(of: entity, in: sketch)
        }
    }

    func add(to sketch: inout SchemaSketch) {
        for index in sketch.entities.indices { addIdentities(index, in: &sketch) }
        pair(&sketch)
        for position in sketch.closingCycles(where: { $0.wire == .embedded }) {
            sketch.entities[position.entity].relationships[position.relationship].wire = nil
            let (name, line) = (
                sketch.entities[position.entity].relationships[position.relationship].name,
                sketch.entities[position.entity].relationships[position.relationship].line
            )
            context.notes.decided(
                line,
                text: "\(sketch.entities[position.entity].name).\(name) is sent as an identity: "
                    + "records cannot embed each other endlessly")
        }
    }

    private func identityType(of entity: EntitySketch, in sketch: SchemaSketch) -> String? {
        // The server's part of two is the last one.
        guard let name = entity.identity.isLocal ? entity.identity.names.last : entity.identity.names.first else {
            return nil
        }
        var (current, depth) = (Optional(entity), 0)
        while let level = current, depth < OpenAPIFiles.chainLimit {
            if let attribute = level.attributes.first(where: { $0.name == name }) {
                // What only the device has is in no JSON.
                return attribute.wire == .unsent ? nil : attribute.type.name
            }
            current = level.extends.flatMap { indices[$0] }.map { sketch.entities[$0] }
            depth += 1
        }
        return nil
    }

    // MARK: Identities

    private static let identityTypes = TypeSketch.integers.union(texts)

    private func addIdentities(_ index: Int, in sketch: inout SchemaSketch) {
        let entity = sketch.entities[index]
        let identity = entity.identity.names
        var kept: [MemberSketch] = []
        for attribute in entity.attributes {
            guard !identity.contains(attribute.name), let reference = ReferenceKey(key(of: attribute)),
                reference.isToMany == attribute.type.isList, Self.identityTypes.contains(attribute.type.name)
            else {
                kept.append(attribute)
                continue
            }
            if reference.isToMany, entity.identity == .absent {
                context.notes.decided(
                    attribute.line,
                    text:
                        "\(entity.name).\(attribute.name) is an attribute: a record without an identity has no to-many "
                        + "relationship to records that others have, too")
                kept.append(attribute)
                continue
            }
            guard let target = target(of: reference.base, type: attribute.type.name, in: sketch, at: index) else {
                context.unlinked.append("\(entity.name).\(attribute.name)")
                kept.append(attribute)
                continue
            }
            link(attribute, reference: reference, target: target, at: index, in: &sketch)
        }
        sketch.entities[index].attributes = kept
    }

    private func key(of attribute: MemberSketch) -> String {
        switch attribute.key.count {
        case 0: context.keys.name(attribute.name)
        case 1: attribute.key[0]
        default: ""
        }
    }

    /// The entity that a key means: that of a relationship with this name, the one with this name, or with its end
    /// (`billing_address`).
    private func target(of base: String, type: String, in sketch: SchemaSketch, at index: Int) -> String? {
        let plain = IdentityNames.plain(base)
        let plural = IdentityNames.plain(Noun.plural(base))
        let relationship = sketch.entities[index].relationships.first { relationship in
            IdentityNames.plain(relationship.name) == (relationship.type.isList ? plural : plain)
        }
        var found = relationship?.type.name
        var words = UsableName.snakeCase(base).split(separator: "_")
        while found == nil, !words.isEmpty {
            found = entities[words.joined()] ?? entities[IdentityNames.plain(Noun.singular(words.joined()))]
            words.removeFirst()
        }
        if found == nil, ["parent", "root"].contains(plain) { found = sketch.entities[index].name }
        guard let found, let identity = identities[found],
            Self.isSame(identity, as: type) || relationship != nil && [identity, type].allSatisfy(Self.texts.contains)
        else { return nil }
        return found
    }

    /// A description can leave out the format of one: that both are texts is enough if the record is there, too.
    private static let texts: Set = ["string", "uuid"]

    private static func isSame(_ identity: String, as type: String) -> Bool {
        identity == type || [identity, type].allSatisfy(TypeSketch.integers.contains)
    }

    private func link(
        _ attribute: MemberSketch, reference: ReferenceKey, target: String, at index: Int, in sketch: inout SchemaSketch
    ) {
        let owner = sketch.entities[index].name
        let plural = reference.isToMany ? Noun.plural(reference.base) : reference.base
        let wanted = context.memberName(plural)
        let kept: Set<MemberOption> = [.key, .documentation, .deprecation]
        for option in MemberOption.allCases where !kept.contains(option) && option.value(in: attribute) != nil {
            context.notes.left(
                attribute.line,
                text: "\(owner).\(attribute.name): `\(option.rawValue)`, because it is the relationship '\(wanted)'")
        }
        let key = key(of: attribute)
        if let known = sketch.entities[index].relationships.firstIndex(where: {
            IdentityNames.plain($0.name) == IdentityNames.plain(wanted)
        }) {
            return link(attribute, key: key, reference: reference, known: known, at: index, in: &sketch)
        }
        let others = sketch.entities[index].attributes.map(\.name).filter { $0 != attribute.name }
        let taken = Set(others.map(MemberNames.plain))
        let name = taken.contains(MemberNames.plain(wanted)) ? "\(wanted)Record" : wanted
        context.notes.decided(
            attribute.line, text: "\(owner).\(attribute.name) is the relationship '\(name)' to \(target), by its name",
            help: "If it means something else, write it in 'attributes:'.")
        let type = TypeSketch(
            name: target, isList: reference.isToMany, isOptional: !reference.isToMany && attribute.isOptional)
        var relationship = MemberSketch(name: name, type: type, line: attribute.line)
        if reference.isToMany { relationship.wire = .ids }
        if key != context.keys.key(of: relationship, isRelationship: true) { relationship.key = [key] }
        (relationship.documentation, relationship.deprecation) = (attribute.documentation, attribute.deprecation)
        sketch.entities[index].relationships.append(relationship)
    }

    /// Joins an attribute with the relationship that has the records which it names.
    private func link(
        _ attribute: MemberSketch, key: String, reference: ReferenceKey, known: Int, at index: Int,
        in sketch: inout SchemaSketch
    ) {
        var relationship = sketch.entities[index].relationships[known]
        let (owner, name) = (sketch.entities[index].name, relationship.name)
        if reference.isToMany {
            relationship.idsKey = [key]
            context.notes.decided(
                attribute.line,
                text: "\(owner).\(attribute.name) and \(owner).\(name) are one relationship: both are read, "
                    + "and the records are sent",
                help: "To send the identities, write `wire: ids` and `key: \(key)`, and `embeddedKey` for the records.")
        } else {
            relationship.wire = nil
            relationship.isOptional = relationship.isOptional && attribute.isOptional
            // The record has the key that it had, which is derived from the name if none was given.
            if !relationship.key.isEmpty { relationship.embeddedKey = relationship.key }
            relationship.key = key == context.keys.link(name) ? [] : [key]
            context.notes.decided(
                attribute.line,
                text: "\(owner).\(attribute.name) and \(owner).\(name) are one relationship: both are read, "
                    + "and the identity is sent",
                help: "To send the record, write `wire: embedded` instead of a key.")
        }
        sketch.entities[index].relationships[known] = relationship
    }

    // MARK: Inverses

    private struct Pair: Hashable {
        let owner: String
        let target: String
    }

    /// Makes the only two relationships between two entities inverse to each other.
    private func pair(_ sketch: inout SchemaSketch) {
        var toOne: [Pair: [(Int, Int)]] = [:]
        var toMany: [Pair: [(Int, Int)]] = [:]
        for (index, entity) in sketch.entities.enumerated() where !entity.isAbstract {
            for (position, relationship) in entity.relationships.enumerated() {
                let pair = Pair(owner: entity.name, target: relationship.type.name)
                if relationship.type.isList {
                    toMany[pair, default: []].append((index, position))
                } else {
                    toOne[pair, default: []].append((index, position))
                }
            }
        }
        let uses = sketch.entities.flatMap(\.relationships).reduce(into: [String: Int]()) {
            $0[$1.type.name, default: 0] += 1
        }
        var names = MemberNames(sketch)
        for (index, entity) in sketch.entities.enumerated() {
            for (position, relationship) in entity.relationships.enumerated() where relationship.type.isList {
                let pair = Pair(owner: entity.name, target: relationship.type.name)
                let back = Pair(owner: pair.target, target: pair.owner)
                if hasInverse((index, position), in: sketch) { continue }
                let isShared = isShared(relationship, uses: uses)
                guard let lists = toMany[pair] else {
                    if isShared { reportList(of: entity.name, member: relationship) }
                    continue
                }
                let (ones, isSelf) = (toOne[back] ?? [], entity.name == pair.target)
                let others = isSelf ? [] : toMany[back] ?? []
                let isOnly = lists.count == 1
                if isOnly, let one = backReference(ones, target: entity.name, in: sketch) {
                    setInverse((index, position), second: one, in: &sketch)
                    let name = sketch.entities[one.0].relationships[one.1].name
                    let subject = IdentityNames.subject(of: entity.name)
                    let obvious = [subject, entity.name].map(MemberNames.plain)
                    let isObvious = isSelf || obvious.contains(MemberNames.plain(name))
                    if isShared, !isObvious { reportPair(entity.name, member: relationship, and: name) }
                } else if isOnly, ones.isEmpty, others.count == 1, !hasInverse(others[0], in: sketch) {
                    setInverse((index, position), second: others[0], in: &sketch)
                } else if isShared || relationship.wire == .ids {
                    let isClear = isOnly && !isSelf && toOne[pair] == nil
                    let candidates = ones.map { "'\(sketch.entities[$0.0].relationships[$0.1].name)'" }
                    addOtherEnd((index, position), isClear: isClear, insteadOf: candidates, in: &sketch, names: &names)
                }
            }
        }
    }

    /// Whether a record can be in the lists of several others: it is listed by itself, or something else refers to it.
    private func isShared(_ relationship: MemberSketch, uses: [String: Int]) -> Bool {
        let target = relationship.type.name
        return identities[target] != nil && (listed.contains(target) || uses[target, default: 0] > 1)
    }

    private func hasInverse(_ position: (Int, Int), in sketch: SchemaSketch) -> Bool {
        sketch.entities[position.0].relationships[position.1].inverse != nil
    }

    private func reportPair(_ owner: String, member: MemberSketch, and other: String) {
        let target = member.type.name
        context.notes.decided(
            member.line,
            text: "\(owner).\(member.name) and \(target).\(other) are the two ends of one relationship: "
                + "each \(target) is in one list only",
            help: "If they are not, give each an inverse of its own.")
    }

    private func reportList(of owner: String, member: MemberSketch) {
        context.notes.decided(
            member.line,
            text: "\(owner).\(member.name) has no inverse, because an abstract entity cannot be the other end: each "
                + "\(member.type.name) is in one list only",
            help: "Write it in each entity that extends \(owner), with an inverse.")
    }

    /// The only one of these relationships, or that with the name of its destination.
    private func backReference(_ positions: [(Int, Int)], target: String, in sketch: SchemaSketch) -> (Int, Int)? {
        if positions.count == 1 { return positions[0] }
        return positions.first { position in
            let name = sketch.entities[position.0].relationships[position.1].name
            return [target, IdentityNames.subject(of: target)].map(IdentityNames.plain)
                .contains(IdentityNames.plain(name))
        }
    }

    private func setInverse(_ first: (Int, Int), second: (Int, Int), in sketch: inout SchemaSketch) {
        var (one, other) = (
            sketch.entities[first.0].relationships[first.1], sketch.entities[second.0].relationships[second.1]
        )
        if one.inverse != nil || first == second { return }
        (one.inverse, other.inverse) = (other.name, one.name)
        if one.wire == .embedded, other.wire == .embedded {
            let isToMany = other.type.isList
            other.wire = isToMany ? .unsent : nil
            context.notes.decided(
                other.line,
                text: "\(sketch.entities[second.0].name).\(other.name) is "
                    + "\(isToMany ? "not sent" : "sent as an identity"): "
                    + "its other end '\(one.name)' embeds the records")
        }
        sketch.entities[first.0].relationships[first.1] = one
        sketch.entities[second.0].relationships[second.1] = other
    }

    /// A list of identities is one of many to many: each record can be in the lists of several.
    ///
    /// - Parameters:
    ///   - isClear: Whether it is the owner's only relationship to its destination.
    ///   - candidates: The relationships back that may be its other end.
    private func addOtherEnd(
        _ position: (Int, Int), isClear: Bool, insteadOf candidates: [String], in sketch: inout SchemaSketch,
        names: inout MemberNames
    ) {
        let owner = sketch.entities[position.0].name
        let member = sketch.entities[position.0].relationships[position.1]
        guard let target = indices[member.type.name] else { return }
        let plural = Noun.plural(UsableName.snakeCase(owner))
        let prefix = isClear ? "" : Noun.singular(UsableName.snakeCase(member.name)) + "_"
        let wanted = context.memberName(UsableName.camelCase(prefix + plural))
        let name = names.free(wanted, in: member.type.name)
        sketch.entities[position.0].relationships[position.1].inverse = name
        var end = MemberSketch(name: name, type: .list(of: owner))
        end.inverse = member.name
        end.wire = .unsent
        end.comment = "chosen by import: the other end of \(owner).\(member.name)"
        sketch.entities[target].relationships.append(end)
        context.notes.decided(
            member.line,
            text: "\(owner).\(member.name) is to-many at both ends, "
                + "because several can have the same \(member.type.name): "
                + "'\(member.type.name).\(name)' is the other end",
            help: candidates.isEmpty
                ? "If each record is in one list only, make the other end to-one: `\(name): \(owner)?`."
                : "If \(candidates.joined(separator: " or ")) is the other end, write `inverse:` at both instead.")
    }
}
