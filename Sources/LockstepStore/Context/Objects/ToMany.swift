import LockstepEvolution
@_spi(Generated) import LockstepTables

/// The records at the other end of a to-many relationship, in their declared order.
///
/// It is loaded on first access and kept consistent: inserting a record sets its own end at once, and a record linked
/// from the other end appears at once. You can change it while iterating; the loop sees the members at its start.
public struct ToMany<Element: Model>: RandomAccessCollection {
    let owner: ManagedObject
    let relationship: Int

    @_spi(Requirements) public var startIndex: Int { 0 }

    @_spi(Requirements) public var endIndex: Int { links.members.count }

    public subscript(index: Int) -> Element { unsafeDowncast(links.members[index], to: Element.self) }

    @_spi(Requirements) public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

    /// Transforms each member; changes during the call do not affect which members are visited.
    public func map<Value, Failure>(_ transform: (Element) throws(Failure) -> Value) throws(Failure) -> [Value] {
        try elements.map(transform)
    }

    /// Whether the record is a member. It does not query the store if that is known already.
    public func contains(_ element: Element) -> Bool { links.contains(element) }

    /// Adds a record as a member: as the last one if the relationship is ordered, otherwise where its values sort it.
    public func insert(_ element: Element) { changing { editor?.insert(element) } }

    /// Adds a record as a member at an index, or moves a member there. The index matters only if the relationship is
    /// ordered.
    ///
    /// - Parameters:
    ///   - element: The record.
    ///   - index: The index of the member. An index beyond the end appends it.
    public func insert(_ element: Element, at index: Int) {
        changing {
            guard let editor else { return }
            editor.insert(element)
            editor.move(element, to: index)
        }
    }

    /// Adds records as members, one after the other. Existing members stay.
    public func insert(contentsOf elements: [Element]) {
        guard !elements.isEmpty else { return }
        changing { for element in elements { editor?.insert(element) } }
    }

    /// Removes a record from the members. It is not deleted.
    public func remove(_ element: Element) { changing { editor?.remove(element) } }

    /// Removes all members. None is deleted.
    public func removeAll() { changing { editor?.replaceAll(with: []) } }

    /// Makes these the members, in this order if the relationship is ordered. Former members are not deleted.
    public func replaceAll(with elements: [Element]) { changing { editor?.replaceAll(with: elements) } }

    /// The members as an array.
    var elements: [Element] { links.members.map { unsafeDowncast($0, to: Element.self) } }

    private var links: LoadedLinks {
        let links =
            owner.context.remembering { try owner.context.loadedLinks(of: owner, for: relationship) } ?? LoadedLinks()
        owner.didRead(relationship, showing: links)
        return links
    }

    /// Runs `body` and groups its changes into one step of the undo history.
    private func changing(_ body: () -> Void) {
        owner.context.beginChange()
        body()
        owner.context.endChange()
    }

    /// `nil` for a record that was deleted or is in no context.
    private var editor: LinkEditor? {
        if owner.state == .deleted {
            owner.context.noteLostChange(of: owner, attribute: owner.plan.relationships[relationship].name)
        }
        return LinkEditor(owner, relationship: relationship)
    }
}

extension ToMany {
    /// The members as values, in their order.
    ///
    /// A member whose conversion to a value is already in progress is left out, so that cycles of embedded records end
    /// (Rules.md, R8).
    public var representations: [Element.Representation] {
        owner.context.representing(owner) { isUnderWay in
            elements.filter { !isUnderWay($0) }.map(\.representation)
        }
    }

    /// Whether these are the members' identities on the server. The order matters if the relationship is ordered.
    @_spi(Generated) public func matches(identities: [Element.WireIdentity]) -> Bool {
        let own = wireIdentities
        if own == identities { return true }
        if owner.plan.relationships[relationship].isOrdered { return false }
        return own.count == identities.count && Set(own) == Set(identities)
    }

    /// Whether these are the members and each matches its representation. The order matters if the relationship is
    /// ordered.
    @_spi(Generated) public func matches(_ representations: [Element.Representation]) -> Bool {
        let members = elements
        guard members.count == representations.count else { return false }
        let representations = nested(representations)
        if zip(members, representations).allSatisfy({ $0.matches($1) }) { return true }
        if owner.plan.relationships[relationship].isOrdered { return false }
        return matchesInAnyOrder(members, representations: representations)
    }

    /// Representations embedded in their owner's. Their location determines the owner, whatever their own keys are
    /// (rule R9).
    private func nested(_ representations: [Element.Representation]) -> [Element.Representation] {
        let description = owner.plan.relationships[relationship]
        guard description.isEmbedded, let inverse = description.inverseIndex,
            case .id(let paths, _) = description.destination.relationships[inverse].wire
        else { return representations }
        let keys = paths.map { $0.joined(separator: ".") }
        return representations.map { representation in
            var nested = representation
            for key in keys { nested.omittedKeys.insert(key) }
            return nested
        }
    }

    private func matchesInAnyOrder(_ members: [Element], representations: [Element.Representation]) -> Bool {
        var byIdentity: [Element.WireIdentity: Element] = [:]
        var withoutIdentity: [Element] = []
        for member in members {
            if let identity = member.wireIdentity {
                byIdentity[identity] = member
            } else {
                withoutIdentity.append(member)
            }
        }
        for representation in representations {
            if let identity = representation.wireIdentity {
                guard let member = byIdentity.removeValue(forKey: identity), member.matches(representation) else {
                    return false
                }
            } else {
                guard let index = withoutIdentity.firstIndex(where: { $0.matches(representation) }) else {
                    return false
                }
                withoutIdentity.remove(at: index)
            }
        }
        return true
    }

    /// Makes the records with these identities the members, exactly. Unknown identities are ignored for now.
    ///
    /// Members that have no identity on the server yet stay, because no list of identities can contain them.
    @_spi(Generated) public func link(to identities: [Element.WireIdentity]) {
        owner.context.beginChange()
        defer { owner.context.endChange() }
        let listed = identities.compactMap { owner.context.linked(Element.self, wireIdentity: $0) }
        replaceAll(with: listed + elements.filter { $0.wireIdentity == nil })
    }

    /// Makes the records of these representations the members, exactly. Each is found by its identity and updated, or
    /// created. Of two with the same identity, the last is used. Those without identity replace members without
    /// identity.
    ///
    /// A member that is no longer listed is deleted if the relationship cascades or says `unlisted: delete`, otherwise
    /// it is only unlinked. A member that requires its owner stays.
    @_spi(Generated) public func merge(_ representations: [Element.Representation]) {
        guard let editor else { return }
        owner.context.beginChange()
        defer { owner.context.endChange() }
        let representations = nested(representations)
        let former = elements
        var withoutIdentity = former.filter { $0.wireIdentity == nil }[...]
        var positions: [Element.WireIdentity: Int] = [:]
        var members: [Element?] = []
        for representation in representations {
            let current = representation.wireIdentity == nil ? withoutIdentity.popFirst() : nil
            guard let member = owner.merge(representation, current: current) else { continue }
            if let identity = representation.wireIdentity {
                if let position = positions[identity] { members[position] = nil }
                positions[identity] = members.count
            }
            members.append(member)
        }
        let targets = members.compactMap { $0 }
        editor.drop(former, except: targets)
        editor.replaceAll(with: targets, keepsOthers: true)
    }
}

extension ManagedObjectContext {
    /// Runs `body` while `owner` counts as being converted to a value.
    ///
    /// - Parameter body: Receives a function that returns whether a record is being converted, by this call or an outer
    ///   one.
    func representing<Value>(_ owner: ManagedObject, body: ((ManagedObject) -> Bool) -> Value) -> Value {
        let isOutermost = activity.represented.insert(ObjectIdentifier(owner)).inserted
        defer { if isOutermost { activity.represented.remove(ObjectIdentifier(owner)) } }
        return body { activity.represented.contains(ObjectIdentifier($0)) }
    }
}
