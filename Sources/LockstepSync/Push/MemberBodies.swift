import LockstepStore

/// The parts of a request for the records embedded in one.
struct MemberBodies {
    let ownership: WireOwnership
    /// How a record is marked for deletion from a list, if the server keeps what a list lacks.
    let nestedDeletion: NestedDeletion?
    /// Members that were sent without an identity.
    let known: [SentMember]
    /// Members that are to be deleted.
    let deleted: [DeletedMember]
    /// Members that the request leaves out: another one sends them, or the server would create them again.
    let leftOut: Set<RecordID>
    /// Members that are new to the server, even if it had them before: it assigns their identities.
    let new: Set<RecordID>
    let changed: ChangedMembers

    /// All of a record, without what the server has and has not returned the identity of: that would be created again.
    func body(_ json: JSONValue, in tree: EmbeddedRecord?) -> JSONValue {
        guard let tree, !known.isEmpty || !deleted.isEmpty || !leftOut.isEmpty || !new.isEmpty else { return json }
        return written(json, in: tree) { body($0, in: $1) }
    }

    /// Returns the changed members of a record.
    ///
    /// - Parameter paths: The paths of the changes in the JSON.
    func changes(_ json: JSONValue, in tree: EmbeddedRecord?, paths: [[String]], marks: OutboxMarks) -> JSONValue {
        guard let tree else { return json.selecting(paths) }
        return written(json, in: tree, isPart: { keepsRest($0) && !marks.contains(.embedded) }) { member, record in
            guard changed.has(record) || marks.contains(.order) else { return nil }
            guard let paths = changed.paths(of: record) else { return body(member, in: record) }
            return changes(member, in: record, paths: paths, marks: changed.marks(of: record))
        }.selecting(paths)
    }

    /// Whether the server keeps records that a list lacks, and the values that those it has lack.
    private func keepsRest(_ path: [String]) -> Bool { nestedDeletion?.includes(path) ?? false }

    /// - Parameters:
    ///   - isPart: Whether a list at a path has only what `member` returns.
    ///   - member: Writes a record of a list; `nil` if the list does not contain it.
    private func written(
        _ json: JSONValue, in tree: EmbeddedRecord, isPart: ([String]) -> Bool = { _ in true },
        member: @escaping (JSONValue, EmbeddedRecord) -> JSONValue?
    ) -> JSONValue {
        var json = json
        for (relationship, records) in tree.members {
            let description = tree.plan.relationships[relationship]
            guard let path = description.wire.ownPath, let value = json.value(at: path) else { continue }
            // A record without a single identity value cannot be named in a deletion.
            let isPart = isPart(path) && description.destination.nestedIdentity != nil
            let write = { (json: JSONValue, record: EmbeddedRecord) -> JSONValue? in
                guard !leftOut.contains(record.recordID) else { return nil }
                return (isPart ? member(json, record) : body(json, in: record)).map { named($0, for: record) }
            }
            if case .array(let list) = value, list.count == records.count {
                json.set(
                    .array(zip(list, records).compactMap(write) + deleted(description, of: tree, at: path)), at: path)
            } else if value == .null, records.isEmpty {
                if let gone = deleted(description, of: tree, at: path).first { json.set(gone, at: path) }
            } else if case .object = value, let record = records.first {
                if let written = write(value, record) { json.set(written, at: path) } else { json.remove(at: path) }
            }
        }
        return json
    }

    private func named(_ json: JSONValue, for record: EmbeddedRecord) -> JSONValue {
        guard new.contains(record.recordID), let remote = record.plan.remoteColumn,
            let path = record.plan.columns[remote].wire?.path
        else { return json }
        return json.removing(at: path)
    }

    /// Returns the members that the server expects for records that are to be deleted from a list.
    private func deleted(
        _ relationship: RelationshipDescription, of owner: EmbeddedRecord, at path: [String]
    ) -> [JSONValue] {
        guard let nestedDeletion, nestedDeletion.includes(path) else { return [] }
        let plan = relationship.destination
        guard let remote = plan.nestedIdentity, let identity = plan.columns[remote].wire?.path else { return [] }
        let recordID = owner.recordID
        let members = known.filter { $0.state == .deleted } + deleted.map(\.asSent)
        return members.filter { $0.owner == recordID && $0.relationship == relationship.name }.map { member in
            var json: JSONValue = [nestedDeletion.key: true]
            json.set(JSONValue(storedScalar: member.remote), at: identity)
            return json
        }
    }
}
