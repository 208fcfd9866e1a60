import LockstepEvolution

extension ManagedObject {
    /// The record that a to-one points at; `nil` if it points at none, or at one that is not in the store (yet).
    ///
    /// If it cannot be read, the context's next save or fetch throws the error.
    @_spi(Generated) public final func toOne<Destination: Model>(_ relationship: Int, _ key: Destination.Identity?)
        -> Destination?
    {
        let destination: Destination? = destination(relationship, key: key)
        didRead(relationship, showing: destination)
        return destination
    }

    private final func destination<Destination: Model>(_ relationship: Int, key: Destination.Identity?)
        -> Destination?
    {
        guard let key else { return nil }
        if let kept = validDestination(relationship) {
            // The relationship has one destination, so the object's type need not be checked.
            let destination = unsafeDowncast(kept, to: Destination.self)
            // Not if the key has changed since.
            if Destination.Identity.isIdentical(destination.identity, key) { return destination }
        } else if let links = linksIfLoaded(relationship),
            links.isAbsent(key.recordKey, after: context.base.hub.announced)
        {
            return context.records(Destination.self).live(key)
        }
        return context.remembering { try context.records(Destination.self).find(key) }
    }

    /// The record that a required to-one points at. If it is not in the store (yet), the result is a placeholder of
    /// state ``RecordState/missing``, which is never saved.
    @_spi(Generated) public final func requiredToOne<Destination: Model>(
        _ relationship: Int, _ key: Destination.Identity?
    )
        -> Destination
    {
        if let found: Destination = toOne(relationship, key) { return found }
        let standIn = Destination(row: .placeholder, context: context)
        standIn.state = .missing
        return standIn
    }

    /// Makes a to-one that holds the key point at another record.
    @_spi(Generated) public final func setToOne<Destination: Model>(_ relationship: Int, _ destination: Destination?) {
        context.beginChange()
        defer { context.endChange() }
        context.errors.withdraw(of: self, for: relationship)
        guard canLink(destination, for: relationship) else { return }
        setForeignKey(relationship, to: destination)
    }

    /// The record that points at this one.
    @_spi(Generated) public final func toOneInverse<Destination: Model>(_ relationship: Int) -> Destination? {
        onlyMember(of: relationship)
    }

    /// Makes another record the one that points at this one.
    @_spi(Generated) public final func setToOneInverse<Destination: Model>(
        _ relationship: Int, _ destination: Destination?
    ) {
        context.beginChange()
        defer { context.endChange() }
        context.errors.withdraw(of: self, for: relationship)
        guard canLink(destination, for: relationship) else { return }
        if state == .deleted {
            return context.noteLostChange(of: self, attribute: plan.relationships[relationship].name)
        }
        let current: Destination? = toOneInverse(relationship)
        guard current !== destination, let inverse = records?.inverse(relationship) else { return }
        destination?.setForeignKey(inverse, to: self)
        guard let current, current.state != .deleted, current.foreignKey(inverse) == recordKey else { return }
        let rule = plan.relationships[relationship].onDelete
        current.records?.release(current, for: inverse, rule: rule)
        // If it requires an owner and does not belong to this one only, the save reports that it has none.
        if destination == nil, current.state != .deleted { current.setForeignKey(inverse, to: nil) }
    }

    /// The other record of a symmetric to-one.
    @_spi(Generated) public final func symmetricToOne<Destination: Model>(_ relationship: Int) -> Destination? {
        onlyMember(of: relationship)
    }

    /// Links this record and another one to each other, and unlinks those that they were linked to before.
    @_spi(Generated) public final func setSymmetricToOne<Destination: Model>(
        _ relationship: Int, _ destination: Destination?
    ) {
        context.beginChange()
        defer { context.endChange() }
        context.errors.withdraw(of: self, for: relationship)
        guard canLink(destination, for: relationship) else { return }
        let links: ToMany<Destination> = toMany(relationship)
        links.replaceAll(with: destination.map { [$0] } ?? [])
    }

    /// Sets a symmetric to-one by the other record's identity on the server. A record that is not in the store (yet)
    /// cannot be linked, and the link stays as it is.
    @_spi(Generated) public final func linkSymmetricToOne<Destination: Model>(
        _ relationship: Int, to identity: Destination.WireIdentity?, of type: Destination.Type
    ) {
        let destination = identity.flatMap { context.linked(type, wireIdentity: $0) }
        if identity == nil || destination != nil { setSymmetricToOne(relationship, destination) }
    }

    /// The only record at the other end of a relationship whose key this one does not hold.
    private final func onlyMember<Destination: Model>(of relationship: Int) -> Destination? {
        guard let links = context.remembering({ try context.loadedLinks(of: self, for: relationship) }) else {
            return nil
        }
        didRead(relationship, showing: links)
        return links.members.first as? Destination
    }

    /// The records at the other end, loaded on first access.
    @_spi(Generated) public final func toMany<Destination: Model>(_ relationship: Int) -> ToMany<Destination> {
        ToMany(owner: self, relationship: relationship)
    }

    /// Merges a representation into an embedded to-one: updates the record with the representation's identity, or
    /// creates one.
    ///
    /// A representation without identity updates `current` if that has none either. `current` stays if the
    /// representation violates one of the schema's limits. If it is replaced by another record, it is deleted if the
    /// relationship deletes what is no longer listed.
    ///
    /// - Returns: `nil` if the representation is `nil`.
    @_spi(Generated) public final func merge<Destination: Model>(
        _ representation: Destination.Representation?, current: Destination?
    ) -> Destination? {
        guard let representation else { return nil }
        guard Destination.isValid(representation) else { return current }
        context.beginChange()
        defer { context.endChange() }
        if let identity = representation.wireIdentity {
            if let found = context.linked(Destination.self, wireIdentity: identity) {
                found.update(from: representation)
                replace(current, by: found)
                return found
            }
        } else if let current, current.state != .missing, current.wireIdentity == nil {
            current.update(from: representation)
            return current
        }
        guard let made = Destination(representation: representation, context: context) else { return current }
        replace(current, by: made)
        return made
    }

    /// Replaces an embedded record by another, and deletes it if the relationship deletes what is no longer listed.
    private final func replace(_ current: ManagedObject?, by other: ManagedObject) {
        guard let current, current !== other, current.state != .missing, current.state != .deleted,
            let records, state != .deleted
        else { return }
        for (relationship, description) in records.plan.relationships.enumerated()
        where description.unlisted == .delete && records.destination(relationship) === current.records {
            switch description.kind {
            case .toOne:
                guard foreignKey(relationship) == current.recordKey else { continue }
                setForeignKey(relationship, to: other)
            case .toOneInverse:
                guard let inverse = records.inverse(relationship), current.foreignKey(inverse) == recordKey else {
                    continue
                }
                other.setForeignKey(inverse, to: self)
            case .toMany, .manyToMany: continue
            }
            return context.delete(current)
        }
    }

    /// The value of an embedded to-one; `nil` if there is none, or if its conversion to a value is already in progress,
    /// so that cycles of embedded records end (Rules.md, R8).
    @_spi(Generated) public final func embeddedRepresentation<Destination: Model>(
        of destination: Destination?
    ) -> Destination.Representation? {
        guard let destination else { return nil }
        return context.representing(self) { isUnderWay in isUnderWay(destination) ? nil : destination.representation }
    }

    /// Whether merging an embedded to-one would change nothing in the record at the other end.
    @_spi(Generated) public final func matches<Destination: Model>(
        _ representation: Destination.Representation?, current: Destination?
    ) -> Bool {
        guard let representation else { return current == nil }
        guard let current, current.state != .missing else { return false }
        return current.matches(representation)
    }

    /// Whether a record can be linked. Records of another context, deleted and missing ones cannot, and saves report
    /// it.
    final func canLink(_ other: ManagedObject?, for relationship: Int) -> Bool {
        guard let other else { return true }
        if other.context === context, other.state != .deleted, other.state != .missing { return true }
        let isElsewhere = other.context !== context
        let error = StoreError(
            isElsewhere ? .otherContext : .recordGone, doing: "linking two records", entity: other.plan.name,
            record: other.recordKey.text,
            reason: isElsewhere ? "it belongs to another context" : "it is deleted, or was never in the store",
            remedy: isElsewhere
                ? "Find the record in this context and link that." : "Link a record that is in the store.")
        context.errors.refuse(RefusedChange(error: error, owner: self, relationship: relationship, other: other))
        return false
    }
}
