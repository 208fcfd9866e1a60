import LockstepSchema

/// The envelope of a response: the members around its records.
enum SampleEnvelope {
    /// Whether a member belongs to the response.
    ///
    /// - Parameter isList: Whether the object says of itself that it is a list: `"object": "list"`.
    static func isCompanion(_ member: SampleMember, isList: Bool) -> Bool {
        guard EnvelopeNames.isCompanion(member.key, isList: isList) else { return false }
        switch member.value.content {
        case .text: return !counts.contains(member.key)
        case .list(let elements): return elements.isEmpty || !haveIdentity(elements, key: member.key)
        default: return true
        }
    }

    /// The companions that are no texts.
    private static let counts: Set<String> = ["number", "size", "from", "to", "count", "total"]

    private static func haveIdentity(_ elements: [SampleValue], key: String) -> Bool {
        elements.allSatisfy { SampleIdentity.key(of: $0, name: key) != nil }
    }

    /// Whether each member has records, or belongs to the response.
    static func isEnvelope(_ members: [SampleMember]) -> Bool {
        var hasRecords = false
        let isList = isList(members)
        for member in members where !isCompanion(member, isList: isList) {
            guard isContainer(member) else { return false }
            hasRecords = true
        }
        return hasRecords
    }

    /// Whether an object has records and, beside them, nothing that would make it a record: texts. An object beside
    /// several lists can be one, too, and beside the only list it describes that, if nothing identifies what is around.
    static func holdsRecords(_ members: [SampleMember], depth: Int = 0) -> Bool {
        var (hasRecords, hasMap, hasOther) = (false, false, false)
        var lists = 0
        let isList = isList(members)
        for member in members where !isCompanion(member, isList: isList) {
            switch member.value.content {
            case .list(let elements):
                if elements.isEmpty { continue }
                guard haveIdentity(elements, key: member.key) else { return false }
                hasRecords = true
                lists += 1
            case .object(let values):
                if SampleMap(values) != nil {
                    hasMap = true
                } else if depth < depthLimit, holdsRecords(values, depth: depth + 1) {
                    hasRecords = true
                } else if SampleIdentity.key(of: member.value, name: member.key) == nil {
                    hasOther = true
                }
            case .text: if !["type", "kind", "object"].contains(member.key) { return false }
            case .null, .bool, .number: continue
            }
        }
        let isIdentified = members.contains { SampleIdentity.usual.contains($0.key) && $0.value.identityText != nil }
        return hasMap || hasRecords && (!hasOther || lists == 1 && !isIdentified)
    }

    /// How deep envelopes are inside of others.
    static let depthLimit = 4

    static func isList(_ members: [SampleMember]) -> Bool {
        members.contains { $0.key == "object" && $0.value.text == "list" }
    }

    private static func isContainer(_ member: SampleMember) -> Bool {
        let isUsual = EnvelopeNames.containers.contains(member.key)
        switch member.value.content {
        case .list(let elements):
            return elements.isEmpty ? isUsual : elements.allSatisfy { $0.members != nil }
        case .object(let members):
            if isUsual { return true }
            return SampleIdentity.key(of: member.value, name: member.key) != nil || SampleMap(members) != nil
        case .null: return isUsual
        default: return false
        }
    }
}

extension SampleShape {
    /// The key of the list, if the objects are envelopes inside of a record, as lists of Stripe are.
    var envelopedKey: String? {
        let isList = members["object"].map { $0.texts.distinct == ["list"] } ?? false
        let others = keys.filter { !EnvelopeNames.isCompanion($0, isList: isList) }
        guard others.count == 1, let key = others.first, EnvelopeNames.containers.contains(key),
            let list = members[key], list.kinds == [.list], keys.count > 1,
            keys.allSatisfy({ $0 == key || members[$0]?.object == nil && members[$0]?.elements == nil })
        else { return nil }
        return key
    }
}
