/// The records at the other end of a relationship to many, in their declared order.
///
/// It is loaded when first read, and kept in step: what is inserted here has its own end set at once, and what is
/// linked from the other end is here at once. Going through it while changing it is fine; the loop sees what was
/// there when it began.
public struct ToMany<Element: Model>: RandomAccessCollection {
    let owner: ManagedObject
    let relationship: Int

    public var startIndex: Int { 0 }

    public var endIndex: Int { links.members.count }

    public subscript(index: Int) -> Element { unsafeDowncast(links.members[index], to: Element.self) }

    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

    /// What `transform` makes of each member; of those that were there when it began.
    public func map<Value, Failure>(_ transform: (Element) throws(Failure) -> Value) throws(Failure) -> [Value] {
        try elements.map(transform)
    }

    /// Whether the record is a member; asks nothing of the store that is known already.
    public func contains(_ element: Element) -> Bool { links.contains(element) }

    /// Makes a record a member: the last one where the order is kept, else where its values put it.
    public func insert(_ element: Element) { changing { editor?.insert(element) } }

    /// Makes a record a member at a place, or moves a member there. The place counts where the order is kept.
    ///
    /// - Parameters:
    ///   - element: The record.
    ///   - index: The place, 0 for the first; beyond the last is the last.
    public func insert(_ element: Element, at index: Int) {
        changing {
            guard let editor else { return }
            editor.insert(element)
            editor.move(element, to: index)
        }
    }

    /// Makes these records members, one after the other. Members there are already stay.
    public func insert(contentsOf elements: [Element]) {
        guard !elements.isEmpty else { return }
        changing { for element in elements { editor?.insert(element) } }
    }

    /// Makes a record a member no more. It is not deleted.
    public func remove(_ element: Element) { changing { editor?.remove(element) } }

    /// Makes every member a member no more. None is deleted.
    public func removeAll() { changing { editor?.replaceAll(with: []) } }

    /// Makes these the members, in this order where the order is kept. None of the former is deleted.
    public func replaceAll(with elements: [Element]) { changing { editor?.replaceAll(with: elements) } }

    /// The members as an array.
    var elements: [Element] { links.members.map { unsafeDowncast($0, to: Element.self) } }

    private var links: LoadedLinks {
        owner.context.remembering { try owner.context.loadedLinks(of: owner, relationship) } ?? LoadedLinks()
    }

    /// Runs `body`, whose changes are one step of the undo history.
    private func changing(_ body: () -> Void) {
        owner.context.beginChange()
        body()
        owner.context.endChange()
    }

    /// `nil` for a record that is gone, or in no context.
    private var editor: LinkEditor? {
        if owner.recordState == .deleted {
            owner.context.noteLostChange(of: owner, attribute: owner.plan.relationships[relationship].name)
        }
        return LinkEditor(owner, relationship)
    }
}

extension ToMany {
    /// The members as values, in their order.
    ///
    /// A member that is being made a value already, further up, is left out: records that contain each other in a
    /// circle end (Rules.md, R8).
    public var representations: [Element.Representation] {
        owner.context.representing(owner) { isUnderWay in
            elements.filter { !isUnderWay($0) }.map(\.representation)
        }
    }

    /// Whether the members' identities on the server are these. The order counts where it is kept.
    public func matches(identities: [Element.WireIdentity]) -> Bool {
        let own = wireIdentities
        if own == identities { return true }
        if owner.plan.relationships[relationship].isOrdered { return false }
        return own.count == identities.count && Set(own) == Set(identities)
    }

    /// Whether these are the members and each has every value of its representation. The order counts where it is kept.
    public func matches(_ representations: [Element.Representation]) -> Bool {
        let members = elements
        guard members.count == representations.count else { return false }
        let representations = nested(representations)
        if zip(members, representations).allSatisfy({ $0.matches($1) }) { return true }
        if owner.plan.relationships[relationship].isOrdered { return false }
        return matchesInAnyOrder(members, representations)
    }

    /// Representations in their owner's: their place says whose they are, whatever their own keys say (rule R9).
    private func nested(_ representations: [Element.Representation]) -> [Element.Representation] {
        let description = owner.plan.relationships[relationship]
        let plan = description.destination.entity.plan
        guard description.isEmbedded,
            let inverse = description.inverse.flatMap({ plan.relationship(named: $0) }),
            case .id(let paths, embedded: _) = plan.relationships[inverse].wire
        else { return representations }
        let keys = paths.map { $0.keys.joined(separator: ".") }
        return representations.map { representation in
            var nested = representation
            for key in keys { nested.omittedKeys.insert(key) }
            return nested
        }
    }

    private func matchesInAnyOrder(_ members: [Element], _ representations: [Element.Representation]) -> Bool {
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

    /// Makes the records with these identities the members, exactly. Identities that nobody has are left out for now.
    ///
    /// Members that the server has given no identity yet stay: no list of identities can name them.
    public func link(to identities: [Element.WireIdentity]) {
        owner.context.beginChange()
        defer { owner.context.endChange() }
        let listed = identities.compactMap { owner.context.linked(Element.self, wireIdentity: $0) }
        replaceAll(with: listed + elements.filter { $0.wireIdentity == nil })
    }

    /// Makes the records of these representations the members, exactly: each is found by its identity and updated, or
    /// made. Of two with one identity the last counts. Those without identity take the places of members without.
    ///
    /// A member that is not listed any more is deleted where the relationship cascades, else it is only unlinked; one
    /// that cannot be without its owner stays.
    public func merge(_ representations: [Element.Representation]) {
        guard let editor else { return }
        owner.context.beginChange()
        defer { owner.context.endChange() }
        let representations = nested(representations)
        let former = elements
        var withoutIdentity = former.filter { $0.wireIdentity == nil }[...]
        var places: [Element.WireIdentity: Int] = [:]
        var members: [Element?] = []
        for representation in representations {
            let current = representation.wireIdentity == nil ? withoutIdentity.popFirst() : nil
            guard let member = owner.merge(representation, current: current) else { continue }
            if let identity = representation.wireIdentity {
                if let place = places[identity] { members[place] = nil }
                places[identity] = members.count
            }
            members.append(member)
        }
        let targets = members.compactMap { $0 }
        editor.drop(former, except: targets)
        editor.replaceAll(with: targets, keepsOthers: true)
    }
}

extension Context {
    /// Runs `body` while `owner` counts as being made a value.
    ///
    /// - Parameter body: Gets a function that tells whether a record is being made a value, here or further up.
    func representing<Value>(_ owner: ManagedObject, _ body: ((ManagedObject) -> Bool) -> Value) -> Value {
        let isOutermost = activity.represented.insert(ObjectIdentifier(owner)).inserted
        defer { if isOutermost { activity.represented.remove(ObjectIdentifier(owner)) } }
        return body { activity.represented.contains(ObjectIdentifier($0)) }
    }
}
