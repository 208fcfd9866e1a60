import LockstepEvolution
import LockstepJSON

extension ChangeReview {
    /// Reviews something whose properties change.
    mutating func reviewChanged(_ change: inout SchemaChange) -> ChangeCost {
        let path = change.path
        if let old = scope.formerShape(path), let new = scope.newShape(path) {
            return reviewChanged(&change, from: old, to: new)
        }
        if let member = path.member {
            guard let old = scope.renamed.entity(path.type)?.relationship(member),
                let new = scope.new.entity(path.type)?.relationship(member)
            else { return .instant }
            return reviewChanged(&change, from: old, to: new)
        }
        if let old = scope.renamed.enumeration(path.type), let new = scope.new.enumeration(path.type) {
            return reviewChanged(&change, from: old, to: new)
        }
        guard let old = scope.renamed.entity(path.type), let new = scope.new.entity(path.type) else { return .instant }
        return reviewChanged(&change, from: old, to: new)
    }

    // MARK: Entities

    private mutating func reviewChanged(
        _ change: inout SchemaChange, from old: EntityStructure, to new: EntityStructure
    ) -> ChangeCost {
        let path = change.path
        if old.identity != new.identity {
            find(
                .changesIdentity, at: path, message: "The identity of '\(path)' changes",
                help: """
                    Links, pending changes and the server refer to records by their identity. Add another entity, and \
                    pull its records.
                    """)
            return .rebuild
        }
        // Of a renamed entity, the path was compared with the rename.
        if scope.formerPath(of: path) == path { reviewPath(path, from: old.remote, to: new.remote) }
        if old.remote == nil, let remote = new.remote { reviewSynced(&change, for: new, remote: remote) }
        // An index may have another name, because its table has.
        let added = new.indexes.filter { index in
            !old.indexes.contains { $0.columns == index.columns && $0.isUnique == index.isUnique }
        }
        if added.contains(where: { $0.isUnique && !isUnique(members(of: $0, in: new), of: old) }),
            !takeDuplicates(&change)
        {
            find(
                .becomesUnique, at: path,
                message: "An index of '\(path)' becomes unique; several records may have the same values",
                answers: answersForDuplicates(path))
        }
        return added.isEmpty ? .instant : .index
    }

    /// The members that an index is over, by the names that its columns belong to.
    private func members(of index: IndexStructure, in entity: EntityStructure) -> Set<String> {
        Set(
            index.columns.map { column in
                entity.attributes.first { $0.column == column }?.name
                    ?? entity.relationships.first { $0.foreignKeyColumns.contains(column) }?.name ?? column
            })
    }

    /// Whether no two records of an entity have the same values of these members.
    private func isUnique(_ names: Set<String>, of entity: EntityStructure) -> Bool {
        if entity.attributes.contains(where: { $0.isUnique && names.contains($0.name) }) { return true }
        let key = Set(entity.identity.keyAttributes)
        if !key.isEmpty, key.isSubset(of: names) { return true }
        return entity.indexes.contains { $0.isUnique && members(of: $0, in: entity).isSubset(of: names) }
    }

    // MARK: Enums

    private mutating func reviewChanged(
        _ change: inout SchemaChange, from old: EnumerationStructure, to new: EnumerationStructure
    ) -> ChangeCost {
        let path = change.path
        if old.isInteger != new.isInteger {
            find(
                .narrowsType, at: path, message: "The raw values of '\(path)' change between texts and numbers",
                help: "Add another enum, and an attribute of its type.")
            return .shuffle
        }
        let values = Set(new.cases.map(\.rawValue))
        var removed: [String] = []
        for one in old.cases where !values.contains(one.rawValue) {
            let name = MemberPath(path.type, member: one.name)
            if let replacement = hints.cases[name] {
                used.insert(HintUse("--case", path: name))
                take(replacement, for: name, change: &change, new: new)
            } else if new.rawValue(ofCase: one.name) != nil {
                change.answers.cases[one.name] = one.name
            } else {
                removed.append(one.name)
            }
        }
        guard new.isClosed else { return .instant }
        let added = new.cases.first { old.rawValue(ofCase: $0.name) == nil } ?? new.cases.first
        for name in removed {
            reportRemovedCase(MemberPath(path.type, member: name), replacement: added?.name ?? "CASE")
        }
        if !old.isClosed { reviewClosed(&change, for: new) }
        return old.isClosed && values == Set(old.cases.map(\.rawValue)) ? .instant : .shuffle
    }

    private mutating func take(
        _ replacement: String, for name: MemberPath, change: inout SchemaChange, new: EnumerationStructure
    ) {
        guard new.rawValue(ofCase: replacement) != nil else {
            let known = new.cases.map(\.name).joined(separator: ", ")
            return fail(
                "--case \(name)=\(replacement)", reason: "There is no case '\(replacement)'; '\(new.name)' has \(known)"
            )
        }
        change.answers.cases[name.member ?? ""] = replacement
    }

    private mutating func reportRemovedCase(_ name: MemberPath, replacement other: String) {
        find(
            .removesCase, at: name, message: "The case '\(name)' of a closed enum is removed; some records have it",
            answers: [.init(condition: nil, flags: "--case \(name)=\(other)")],
            help: "Or write 'renamedFrom:' at the case that replaces it.")
    }

    /// An open enum may have kept values that a closed one rejects.
    private mutating func reviewClosed(_ change: inout SchemaChange, for new: EnumerationStructure) {
        let path = change.path
        let other = new.cases.first?.name ?? "CASE"
        guard let hint = hints.otherwise[path] else {
            return find(
                .removesCase, at: path, message: "'\(path)' becomes closed; some records may have other values",
                answers: [.init(condition: nil, flags: "--otherwise \(path)=\(other)")])
        }
        used.insert(HintUse("--otherwise", path: path))
        guard case .string(let name) = hint, new.rawValue(ofCase: name) != nil else {
            let known = new.cases.map(\.name).joined(separator: ", ")
            return fail("--otherwise \(path)=\(Self.text(hint))", reason: "It is not one of the cases \(known)")
        }
        change.answers.otherwise = hint
    }
}
