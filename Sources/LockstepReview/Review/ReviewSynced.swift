import LockstepEvolution

/// Entities whose records begin to be synced.
extension ChangeReview {
    /// Existing records are only on the device, or on the server too: nothing in the store says which.
    mutating func reviewSynced(_ change: inout SchemaChange, for new: EntityStructure, remote: RemoteStructure) {
        let path = change.path
        if takeFirst(&change, for: new, remote: remote) || scope.isSentInside(path.type) { return }
        let push = ReviewFinding.Answer(condition: "If the server has none of them", flags: "--first \(path)=push")
        let pull = ReviewFinding.Answer(condition: "If the server has them", flags: "--first \(path)=pull")
        var answers = Self.canPush(new, remote: remote) ? [push] : []
        // No pull matches records whose identities the server assigns, and has not assigned yet.
        let isAssigned = if case .local = new.identity { true } else { false }
        let isPullable = !isAssigned || answers.isEmpty
        if isPullable { answers.append(pull) }
        if answers.count == 1 { answers[0].condition = nil }
        find(
            .becomesSynced, at: path,
            message: "The records of '\(path)' begin to be synced; existing ones are on the device only",
            answers: answers, help: isPullable ? Self.pullHelp : nil)
    }

    private static let pullHelp = """
        With pull, they count as unchanged: a pull matches them by their identities, and may delete those that the \
        server does not list.
        """

    private static func canPush(_ entity: EntityStructure, remote: RemoteStructure) -> Bool {
        entity.identity != .none && remote.writes.contains(.create)
    }

    /// Whether there is a `--first`, which is reported if it is not possible.
    private mutating func takeFirst(
        _ change: inout SchemaChange, for new: EntityStructure, remote: RemoteStructure
    ) -> Bool {
        let path = change.path
        guard let hint = hints.firsts[path] else { return false }
        used.insert(HintUse("--first", path: path))
        guard let first = ChangeAnswers.FirstSync(rawValue: hint) else {
            fail("--first \(path)=\(hint)", reason: "It is push or pull")
            return true
        }
        guard first == .pull || Self.canPush(new, remote: remote) else {
            fail("--first \(path)=push", reason: "The server accepts no creations of '\(path)'")
            return true
        }
        change.answers.first = first
        return true
    }
}

extension ReviewScope {
    /// Whether the records of an entity were sent inside others, so that the server has them already.
    func isSentInside(_ entity: String) -> Bool {
        var open = [entity]
        var seen: Set<String> = []
        while let name = open.popLast() {
            guard seen.insert(name).inserted else { continue }
            for owner in renamed.entities where owner.relationships.contains(where: { $0.embeds(name) }) {
                if owner.remote != nil { return true }
                open.append(owner.name)
            }
        }
        return false
    }
}

extension RelationshipStructure {
    fileprivate func embeds(_ entity: String) -> Bool {
        if case .embedded = wire { destination == entity } else { false }
    }
}
