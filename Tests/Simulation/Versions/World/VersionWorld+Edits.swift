import LockstepStore
import TestSupport

// What people do, in the form of the version of their app.
extension VersionWorld {
    func makeEdit(_ device: JournalDevice, _ snapshot: DeviceSnapshot) -> JournalEdit? {
        let (changes, deletes) = (makes(.changes), makes(.deletes))
        if random.isOne(in: 2), changes, let undone = makeUndo(device, snapshot) { return undone }
        let collection = random.element(of: scenario.editedCollections)
        let keys = (snapshot.records[collection] ?? [:]).keys.sorted()
        guard !keys.isEmpty, !random.isOne(in: 4), changes || deletes else {
            var edit = JournalEdit(kind: .creates, collection: collection, key: device.makeKey())
            for member in members(of: collection, device.version) where !random.isOne(in: 3) {
                edit.members[member] = value(of: member, edit.key, device, snapshot)
            }
            return edit
        }
        let key = random.element(of: keys)
        // A tag that is deleted changes others' lists, which one device edits only.
        if collection != .tags, random.isOne(in: changes ? 8 : 2), deletes {
            return JournalEdit(kind: .deletes, collection: collection, key: key)
        }
        guard changes else { return nil }
        let own = members(of: collection, device.version).filter { owner(of: $0, key) == device.number }
        guard !own.isEmpty else { return nil }
        let member = random.element(of: own)
        var edit = JournalEdit(kind: .changes, collection: collection, key: key)
        let place = DeviceSnapshot.Place(collection: collection, key: key)
        // An edit that is undone must be sent if the server may have it.
        if let base = snapshot.pending[place]?.base?[member], random.isOne(in: 3) {
            edit.members[member] = base
        } else {
            edit.members[member] = value(of: member, key, device, snapshot)
        }
        return edit
    }

    private func makes(_ kind: JournalEdit.Kind) -> Bool { !scenario.omittedEdits.contains(kind) }

    /// Undoes an edit that was sent without a response: the server may have it, so that the undone value must be sent.
    private func makeUndo(_ device: JournalDevice, _ snapshot: DeviceSnapshot) -> JournalEdit? {
        for (place, pending) in snapshot.pending.sorted(by: { $0.key < $1.key })
        where !pending.unconfirmed.isEmpty && pending.change == .update && place.collection != .pictures {
            for member in members(of: place.collection, device.version)
            where owner(of: member, place.key) == device.number {
                guard let base = pending.base?[member], base != pending.row?[member] else { continue }
                return JournalEdit(
                    kind: .changes, collection: place.collection, key: place.key, members: [member: base])
            }
        }
        return nil
    }

    private func members(of collection: JournalCollection, _ version: JournalVersion) -> [String] {
        switch collection {
        case .entries: version.entryKeys + [JournalSteps.notebookKey, JournalSteps.tagsKey, JournalSteps.picturesKey]
        case .notebooks: ["name"]
        case .tags: version < .second ? ["name"] : ["name", "colour"]
        case .pictures: []
        }
    }

    /// The device that edits a member of a record, whatever a version calls it.
    private func owner(of member: String, _ key: String) -> Int {
        let name = member == "bodyText" ? "text" : member
        return (name + key).utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 1_000_003 } % devices.count
    }

    private func value(
        of member: String, _ key: String, _ device: JournalDevice, _ snapshot: DeviceSnapshot
    ) -> JSONValue {
        let text = "\(device.name) \(stepNumber)"
        switch member {
        case "title", "name":
            return .string(scenario.hasRefusals && random.isOne(in: 6) ? text + JournalServer.refusedMark : text)
        case "mood": return .string(random.element(of: ["sad", "neutral", "happy", "curious"]))
        case "rating":
            if device.version >= .third { return .integer(Int64.random(in: 0...9, using: &random)) }
            return .string(random.element(of: ["0", "1", "5", "12", "many", ""]))
        case "pinned": return .bool(random.isOne(in: 2))
        case "place" where device.version >= .third: return .string(text)
        case JournalSteps.notebookKey: return element(of: snapshot.records[.notebooks])
        case JournalSteps.tagsKey:
            let tags = (snapshot.records[.tags] ?? [:]).keys.sorted().filter { _ in random.isOne(in: 2) }
            return .array(tags.map(JSONValue.string))
        case JournalSteps.picturesKey:
            return pictures(snapshot.records[.entries]?[key]?[JournalSteps.picturesKey], text, device)
        default: return random.isOne(in: 5) ? .null : .string(text)
        }
    }

    private func element(of records: [String: JSONValue]?) -> JSONValue {
        let keys = (records ?? [:]).keys.sorted()
        return keys.isEmpty || random.isOne(in: 4) ? .null : .string(random.element(of: keys))
    }

    private func pictures(_ known: JSONValue?, _ text: String, _ device: JournalDevice) -> JSONValue {
        var pictures: [JSONValue] = []
        if case .array(let known)? = known { pictures = known.filter { _ in !random.isOne(in: 4) } }
        for index in pictures.indices where random.isOne(in: 2) { pictures[index]["caption"] = .string(text) }
        if pictures.isEmpty || random.isOne(in: 2) {
            var picture: JSONValue = [JournalSteps.identityKey: .string(device.makeKey()), "caption": .string(text)]
            if device.version >= .second { picture["width"] = .integer(Int64.random(in: 1...9, using: &random)) }
            pictures.append(picture)
        }
        return .array(pictures)
    }
}
