import LockstepEvolution
import LockstepTables

// Foreign keys, lists of identities, embedded records.
extension RecordReader {
    /// Reads a to-one by its destination's identity.
    func readForeignKey(
        _ scanner: inout JSONScanner, for relationship: Int, part: Int, at path: [String], into target: StagedRow,
        problem: inout RecordProblem?
    ) throws {
        let link = target.entity.relationships[relationship]
        guard link.foreignKey != nil else { return try scanner.skipValue() }
        if try scanner.null() { return clear(relationship, at: path, into: target, problem: &problem) }
        var reason: ValueProblem?
        plan.spellings.role = .link
        defer { plan.spellings.role = .record }
        let cell = try identityReaders[link.destination][part].read(&scanner, in: staging.arena, problem: &reason)
        if let reason {
            report(reason, at: path, problem: &problem)
        } else {
            take(cell, ofKey: relationship, part: part, into: target)
        }
    }

    /// Stores a part of the identity of a to-one's destination.
    func take(_ cell: Cell, ofKey relationship: Int, part: Int, into target: StagedRow) {
        let link = target.entity.relationships[relationship]
        if plan.entities[link.destination].plan.remoteColumn == nil {
            if let columns = link.foreignKey { target.cells[columns[part]] = cell }
        } else {
            target.table.append(
                StagedReference(row: Int32(target.row), relationship: Int16(relationship), identity: cell))
        }
    }

    /// If a part of a key of several values is missing or null, the to-one has no destination.
    func completeKey(_ relationship: Int, into target: StagedRow, problem: inout RecordProblem?) {
        let link = target.entity.relationships[relationship]
        guard let columns = link.foreignKey else { return }
        let valueCount = columns.count { target.cells[$0].isValue }
        let isStated = columns.contains { target.cells[$0].kind != .absent }
        guard isStated, valueCount < columns.count else { return }
        let missing = columns.first { !target.cells[$0].isValue }
        let path = missing.flatMap { target.entity.plan.columns[$0].wire?.path } ?? link.description.wire.path
        clear(relationship, at: path, into: target, problem: &problem)
    }

    /// Removes a key that was read from an object without all of its identity: it says nothing about the link.
    func dropIncompleteKey(_ relationship: Int, into target: StagedRow) {
        guard let columns = target.entity.relationships[relationship].foreignKey,
            columns.contains(where: { !target.cells[$0].isValue })
        else { return }
        for column in columns { target.cells[column] = .absent }
    }

    /// Null removes a link (Rules.md, R4).
    func clear(_ relationship: Int, at path: [String], into target: StagedRow, problem: inout RecordProblem?) {
        let link = target.entity.relationships[relationship]
        guard !link.isRequired else {
            if staging.isLinkToOwner(relationship, of: target.row, in: target.table) { return }
            return report(ValueProblem("is required; it is null"), at: path, problem: &problem)
        }
        for column in link.foreignKey ?? [] { target.cells[column] = .null }
        target.table.forgetReferences(of: target.row, for: relationship)
    }

    /// Skips the value of a key that looks like that of a relationship, and adds a note (Rules.md, M13).
    func skipUnread(_ scanner: inout JSONScanner, at path: [String], into target: StagedRow) throws {
        if try scanner.null() { return }
        let isComposite = scanner.peek() == UInt8(ascii: "[") || scanner.peek() == UInt8(ascii: "{")
        try scanner.skipValue()
        guard let key = path.last else { return }
        noteUnread(key, isComposite: isComposite, into: target)
    }

    /// Adds a note about a key that looks like that of a relationship, if its value does, too. The owner of an embedded
    /// record follows from where it is.
    func noteUnread(_ key: String, isComposite: Bool, into target: StagedRow) {
        guard let unread = target.entity.plan.relationshipKeys.relationship(for: key),
            isComposite || !unread.isComposite,
            !staging.isLinkToOwner(unread.relationship, of: target.row, in: target.table)
        else { return }
        recorder.noteUnread(key, for: unread.relationship, of: target.entity)
    }

    /// Whether a list is next. Anything else is read: null, which is an empty list (Rules.md, M1), and invalid values.
    private func isList(
        _ scanner: inout JSONScanner, for relationship: Int, form: MemberForm, at path: [String],
        into target: StagedRow, problem: inout RecordProblem?
    ) throws -> Bool {
        if try scanner.null() {
            empty(relationship, form: form, into: target)
            return false
        }
        if scanner.peek() == UInt8(ascii: "[") { return true }
        try scanner.skipValue()
        report(ValueProblem("is not a list"), at: path, problem: &problem)
        return false
    }

    /// A to-many has no members.
    func empty(_ relationship: Int, form: MemberForm, into target: StagedRow) {
        target.table.append(
            StagedMembership(row: target.row, relationship: relationship, form: form, isNull: true), list: [])
    }

    /// Reads the exact members of a to-many: identities (Rules.md, R3), embedded records (R5), or either (R11).
    func readMembers(
        _ scanner: inout JSONScanner, for relationship: Int, form: MemberForm, at path: [String],
        into target: StagedRow, problem: inout RecordProblem?
    ) throws {
        guard target.entity.relationships[relationship].isToMany else {
            return try readMember(&scanner, for: relationship, form: form, at: path, into: target, problem: &problem)
        }
        guard try isList(&scanner, for: relationship, form: form, at: path, into: target, problem: &problem) else {
            return
        }
        var members: [StagedMember] = []
        try scanner.open(UInt8(ascii: "["))
        while try !scanner.isClosed(UInt8(ascii: "]"), isFirst: members.isEmpty) {
            members.append(
                try readMember(
                    &scanner, for: relationship, form: form, path: path, at: members.count, into: target,
                    problem: &problem))
        }
        target.table.append(StagedMembership(row: target.row, relationship: relationship, form: form), list: members)
    }

    /// Reads the only member of a symmetric to-one; null is none.
    private func readMember(
        _ scanner: inout JSONScanner, for relationship: Int, form: MemberForm, at path: [String],
        into target: StagedRow, problem: inout RecordProblem?
    ) throws {
        if try scanner.null() { return empty(relationship, form: form, into: target) }
        let member = try readMember(
            &scanner, for: relationship, form: form, path: path, at: nil, into: target, problem: &problem)
        target.table.append(StagedMembership(row: target.row, relationship: relationship, form: form), list: [member])
    }

    /// - Parameter index: The index in the list; `nil` for the member of a to-one.
    private func readMember(
        _ scanner: inout JSONScanner, for relationship: Int, form: MemberForm, path: [String], at index: Int?,
        into target: StagedRow, problem: inout RecordProblem?
    ) throws -> StagedMember {
        if form == .records || form == .either && scanner.peek() == UInt8(ascii: "{") {
            return StagedMember(
                row: Int32(try readEmbedded(&scanner, for: relationship, into: target, at: index ?? -1)))
        }
        return try readIdentity(&scanner, for: relationship, path: path, at: index, into: target, problem: &problem)
    }

    /// Decides between a list of identities and one of records (Rules.md, R11).
    func settleLists(_ relationship: Int, into target: StagedRow) {
        guard let (members, others) = target.table.settleLists(of: target.row, for: relationship) else { return }
        let table = staging.tables[target.entity.relationships[relationship].destination]
        guard let identity = table.entity.wireKeyColumns.first else { return }
        let listed = Set(members.map(\.identity.fingerprint))
        for row in others where row >= 0 && !listed.contains(table.row(row)[identity].fingerprint) {
            table.origins[row].isNoMember = true
        }
    }

    /// Reads a member that is listed by its identity.
    private func readIdentity(
        _ scanner: inout JSONScanner, for relationship: Int, path: [String], at index: Int?, into target: StagedRow,
        problem: inout RecordProblem?
    ) throws -> StagedMember {
        var reason: ValueProblem?
        var member = StagedMember()
        plan.spellings.role = .link
        defer { plan.spellings.role = .record }
        let link = target.entity.relationships[relationship]
        if try scanner.null() {
            reason = ValueProblem("is an identity; it is null")
        } else if let reader = identityReaders[link.destination].first {
            member.identity = try reader.read(&scanner, in: staging.arena, problem: &reason)
        } else {
            try scanner.skipValue()
        }
        if let reason {
            let location = index.map { path.dropLast() + ["\(path.last ?? "")[\($0)]"] } ?? path
            report(reason, at: location, problem: &problem)
        }
        return member
    }

    /// Reads an embedded to-one, from either end.
    func readOne(
        _ scanner: inout JSONScanner, for relationship: Int, at path: [String], into target: StagedRow,
        problem: inout RecordProblem?
    ) throws {
        let isNull = try scanner.null()
        let row = isNull ? nil : try readEmbedded(&scanner, for: relationship, into: target, at: -1)
        take(row, ofEmbedded: relationship, at: path, into: target, problem: &problem)
    }

    /// Reads the row of an embedded to-one; `nil` for null.
    func take(
        _ row: Int?, ofEmbedded relationship: Int, at path: [String], into target: StagedRow,
        problem: inout RecordProblem?
    ) {
        let link = target.entity.relationships[relationship]
        guard link.foreignKey != nil else {
            let members = row.map { [StagedMember(row: Int32($0))] } ?? []
            return target.table.append(
                StagedMembership(row: target.row, relationship: relationship, form: .records), list: members)
        }
        target.table.forgetLinks(of: target.row, for: relationship)
        if row == nil, link.description.isEmbedded {
            return clear(relationship, at: path, into: target, problem: &problem)
        }
        target.table.append(
            StagedLink(
                row: Int32(target.row), relationship: Int16(relationship), targetTable: Int16(link.destination),
                targetRow: Int32(row ?? -1)))
    }

    /// Reads a record in its owner's JSON. If it holds the key of the link, it is linked to its owner.
    private func readEmbedded(
        _ scanner: inout JSONScanner, for relationship: Int, into target: StagedRow, at index: Int
    ) throws -> Int {
        let link = target.entity.relationships[relationship]
        let row = try read(
            &scanner, of: plan.entities[link.destination], origin: target.origin(of: relationship, at: index))
        linkToOwner(row, for: relationship, into: target)
        return row
    }

    /// Links an embedded record that holds the key of the link to its owner.
    func linkToOwner(_ row: Int, for relationship: Int, into target: StagedRow) {
        let link = target.entity.relationships[relationship]
        guard let inverse = link.keyHoldingInverse else { return }
        staging.tables[link.destination].append(
            StagedLink(
                row: Int32(row), relationship: Int16(inverse), targetTable: Int16(target.entity.index),
                targetRow: Int32(target.row), isOwner: true))
    }

    /// Treats missing values as empty (`MissingKeys.empty`).
    func fillMissing(_ target: StagedRow) {
        for (column, description) in target.entity.plan.columns.enumerated()
        where description.wire != nil && target.cells[column].kind == .absent {
            guard !target.entity.wireKeyColumns.contains(column) else { continue }
            if description.isOptional { target.cells[column] = .null }
            if case .list = description.type, !description.isOptional {
                target.cells[column] = Cell(text: staging.arena.copy("[]"))
            }
        }
        for (index, link) in target.entity.relationships.enumerated() where mayLack(link, into: target) {
            fillMissing(index, link: link, into: target)
        }
    }

    /// Whether a missing relationship counts as empty: it does not if the other end sends it, and an embedded record
    /// does not send its owner.
    private func mayLack(_ link: MergeRelationship, into target: StagedRow) -> Bool {
        if link.description.wire == .none { return false }
        if link.description.embeddingInverse != nil, target.table.origins[target.row].isNested { return false }
        return ownership?.isSent(link.description, of: target.entity.plan) ?? true
    }

    private func fillMissing(_ relationship: Int, link: MergeRelationship, into target: StagedRow) {
        if let columns = link.foreignKey {
            let isStated =
                target.table.hasLink(of: target.row, for: relationship)
                || columns.contains { target.cells[$0].kind != .absent }
            if !isStated, !link.isRequired { columns.forEach { target.cells[$0] = .null } }
        } else if !target.table.hasMembership(of: target.row, for: relationship) {
            empty(relationship, form: link.isEmbedded ? .records : .identities, into: target)
        }
    }
}

extension MergeRelationship {
    var isEmbedded: Bool { description.isEmbedded }
}
