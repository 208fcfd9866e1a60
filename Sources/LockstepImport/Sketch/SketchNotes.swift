import LockstepJSON

/// What the names and types of attributes mean, which is reported for the sources of all importers.
extension SchemaSketch {
    /// - Parameter lost: The attributes that are left out: `Item.name`.
    func noteAttributes(in notes: ImportNotes, without lost: Set<String>) {
        let names = Set(entities.flatMap { $0.attributes.map(\.name) }).filter(SecretNames.isSecret)
        let secrets = subjects(without: lost) { names.contains($0.name) && SecretNames.areSecret($0.type.name) }
        if !secrets.isEmpty {
            notes.decided(
                nil, text: "Secrets, by their names, which each device stores: \(secrets.joined(separator: ", "))",
                help: "If the app does not need one, remove it here, and on the server from what it sends.")
        }
        let days = subjects(without: lost) { $0.type.name == "date" && $0.wire == .date("yyyy-MM-dd") }
        if !days.isEmpty {
            notes.decided(
                nil, text: "Days, each of which is a date at midnight in UTC: \(days.joined(separator: ", "))",
                help: "If the app shows no time, write `day`: in another time zone, a date can be the day before.")
        }
        noteTenant(in: notes)
    }

    /// Removes the defaults of attributes that are probably secret, so that no value of a secret is in the schema or in
    /// the report.
    mutating func removeSecretDefaults(in notes: ImportNotes) {
        for entity in entities.indices {
            for index in entities[entity].attributes.indices {
                let attribute = entities[entity].attributes[index]
                guard let value = attribute.defaultValue, !Self.isEmpty(value), Self.isSecret(attribute) else {
                    continue
                }
                entities[entity].attributes[index].defaultValue = nil
                // What is not received must be optional or have a default.
                if attribute.isTransient || attribute.wire == .unsent {
                    entities[entity].attributes[index].isOptional = true
                }
                notes.left(
                    attribute.line, text: SecretNames.lostDefault(of: "\(entities[entity].name).\(attribute.name)"))
            }
        }
    }

    private static func isSecret(_ attribute: MemberSketch) -> Bool {
        SecretNames.areSecret(attribute.type.name) && SecretNames.isSecret(attribute.name)
    }

    private static func isEmpty(_ value: JSONValue) -> Bool { ["", [], [:], .null].contains(value) }

    /// Reports an attribute that most records have beside their identity: it may be a part of it, because records of
    /// two owners, such as two sites, can have the same number.
    private func noteTenant(in notes: ImportNotes) {
        let all = entities.filter { !$0.isAbstract }
        var owners: [String: [EntitySketch]] = [:]
        for entity in all {
            let identity = entity.identity.names
            guard identity.count == 1 else { continue }
            for name in entity.attributes.map(\.name) where name != identity[0] && Self.isReference(name) {
                owners[name, default: []].append(entity)
            }
        }
        for (name, found) in owners.sorted(by: { $0.key < $1.key }) {
            let others = all.count { $0.identity.names == [name] }
            let isCommon =
                found.count < Self.leastOwners
                ? found.count > 1 && found.count + others == all.count : found.count * 2 >= all.count
            guard isCommon else { continue }
            let identity = found[0].identity.names[0]
            notes.decided(
                nil, text: "\(name) is an attribute of \(found.count) entities, and no part of their identity",
                help: "If the same identity can occur with another \(name), write both: "
                    + "`identity: [\(name), \(identity)]` in \(found[0].name).")
        }
    }

    /// With fewer entities, it is one of several references, unless all others have it.
    private static let leastOwners = 4

    private static func isReference(_ name: String) -> Bool {
        ReferenceKey(name)?.isToMany == false && name != "localID" && name != "remoteID"
    }

    private func subjects(without lost: Set<String>, where isMeant: (MemberSketch) -> Bool) -> [String] {
        let all = entities.flatMap { entity in
            entity.attributes.filter(isMeant).map { "\(entity.name).\($0.name)" }
        }
        return lost.isEmpty ? all : all.filter { !lost.contains($0) }
    }
}
