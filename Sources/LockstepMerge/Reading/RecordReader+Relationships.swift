import LockstepStore

// Foreign keys, lists of identities, embedded records.
extension RecordReader {
    /// Reads a to-one by its destination's identity.
    func readForeignKey(
        _ scanner: inout JSONScanner, _ relationship: Int, _ part: Int, _ path: [String], _ target: StagedRow,
        _ problem: inout RecordProblem?
    ) throws {
        let link = target.entity.relationships[relationship]
        guard link.foreignKey != nil else { return try scanner.skipValue() }
        if try scanner.null() { return clear(relationship, path, target, &problem) }
        var reason: ValueProblem?
        plan.spellings.place = .link
        defer { plan.spellings.place = .record }
        let cell = try identityReaders[link.destination][part].read(&scanner, staging.arena, &reason)
        if let reason { report(reason, path, &problem) } else { take(cell, ofKey: relationship, part, target) }
    }

    /// Stores a part of the identity of a to-one's destination.
    func take(_ cell: Cell, ofKey relationship: Int, _ part: Int, _ target: StagedRow) {
        let link = target.entity.relationships[relationship]
        if plan.entities[link.destination].plan.remoteColumn == nil {
            if let columns = link.foreignKey { target.cells[columns[part]] = cell }
        } else {
            target.table.append(
                StagedReference(row: Int32(target.row), relationship: Int16(relationship), identity: cell))
        }
    }

    /// If a part of a key of several values is missing or null, the to-one has no destination.
    func completeKey(_ relationship: Int, _ target: StagedRow, _ problem: inout RecordProblem?) {
        let link = target.entity.relationships[relationship]
        guard let columns = link.foreignKey else { return }
        let valueCount = columns.count { target.cells[$0].isValue }
        let isStated = columns.contains { target.cells[$0].kind != .absent }
        guard isStated, valueCount < columns.count else { return }
        let missing = columns.first { !target.cells[$0].isValue }
        let path = missing.flatMap { target.entity.plan.columns[$0].wire?.path } ?? link.description.wire.path
        clear(relationship, path, target, &problem)
    }

    /// Removes a key that was read from an object without all of its identity: it says nothing about the link.
    func dropIncompleteKey(_ relationship: Int, _ target: StagedRow) {
        guard let columns = target.entity.relationships[relationship].foreignKey,
            columns.contains(where: { !target.cells[$0].isValue })
        else { return }
        for column in columns { target.cells[column] = .absent }
    }

    /// Null removes a link (Rules.md, R4).
    func clear(
        _ relationship: Int, _ path: [String], _ target: StagedRow, _ problem: inout RecordProblem?
    ) {
        let link = target.entity.relationships[relationship]
        guard !link.isRequired else {
            if staging.isLinkToOwner(relationship, of: target.row, in: target.table) { return }
            return report(ValueProblem("is required; it is null"), path, &problem)
        }
        for column in link.foreignKey ?? [] { target.cells[column] = .null }
        target.table.forgetReferences(of: target.row, relationship)
    }

    /// Skips the value of a key that looks like that of a relationship, and adds a note (Rules.md, M13).
    func skipUnread(_ scanner: inout JSONScanner, _ path: [String], _ target: StagedRow) throws {
        if try scanner.null() { return }
        let isComposite = scanner.peek() == UInt8(ascii: "[") || scanner.peek() == UInt8(ascii: "{")
        try scanner.skipValue()
        guard let key = path.last else { return }
        noteUnread(key, isComposite: isComposite, target)
    }

    /// Adds a note about a key that looks like that of a relationship, if its value does, too. The owner of an embedded
    /// record follows from where it is.
    func noteUnread(_ key: String, isComposite: Bool, _ target: StagedRow) {
        guard let unread = target.entity.plan.relationshipKeys.relationship(for: key),
            isComposite || !unread.isComposite,
            !staging.isLinkToOwner(unread.relationship, of: target.row, in: target.table)
        else { return }
        recorder.noteUnread(key, unread.relationship, target.entity)
    }

    /// Whether a list is next. Anything else is read: null, which is an empty list (Rules.md, M1), and invalid values.
    private func isList(
        _ scanner: inout JSONScanner, _ relationship: Int, _ form: MemberForm, _ path: [String], _ target: StagedRow,
        _ problem: inout RecordProblem?
    ) throws -> Bool {
        if try scanner.null() {
            empty(relationship, form, target)
            return false
        }
        if scanner.peek() == UInt8(ascii: "[") { return true }
        try scanner.skipValue()
        report(ValueProblem("is not a list"), path, &problem)
        return false
    }

    /// A to-many has no members.
    func empty(_ relationship: Int, _ form: MemberForm, _ target: StagedRow) {
        target.table.append(
            StagedMembership(row: target.row, relationship: relationship, form: form, isNull: true), [])
    }

    /// Reads the exact members of a to-many: identities (Rules.md, R3), embedded records (R5), or either (R11).
    func readMembers(
        _ scanner: inout JSONScanner, _ relationship: Int, _ form: MemberForm, _ path: [String], _ target: StagedRow,
        _ problem: inout RecordProblem?
    ) throws {
        guard target.entity.relationships[relationship].isToMany else {
            return try readMember(&scanner, relationship, form, path, target, &problem)
        }
        guard try isList(&scanner, relationship, form, path, target, &problem) else { return }
        var members: [StagedMember] = []
        try scanner.open(UInt8(ascii: "["))
        while try !scanner.isClosed(UInt8(ascii: "]"), isFirst: members.isEmpty) {
            members.append(
                try readMember(&scanner, relationship, form, path, at: members.count, target, &problem))
        }
        target.table.append(StagedMembership(row: target.row, relationship: relationship, form: form), members)
    }

    /// Reads the only member of a symmetric to-one; null is none.
    private func readMember(
        _ scanner: inout JSONScanner, _ relationship: Int, _ form: MemberForm, _ path: [String], _ target: StagedRow,
        _ problem: inout RecordProblem?
    ) throws {
        if try scanner.null() { return empty(relationship, form, target) }
        let member = try readMember(&scanner, relationship, form, path, at: nil, target, &problem)
        target.table.append(StagedMembership(row: target.row, relationship: relationship, form: form), [member])
    }

    /// - Parameter index: The place in the list; `nil` for the member of a to-one.
    private func readMember(
        _ scanner: inout JSONScanner, _ relationship: Int, _ form: MemberForm, _ path: [String], at index: Int?,
        _ target: StagedRow, _ problem: inout RecordProblem?
    ) throws -> StagedMember {
        if form == .records || form == .either && scanner.peek() == UInt8(ascii: "{") {
            return StagedMember(row: Int32(try readEmbedded(&scanner, relationship, target, at: index ?? -1)))
        }
        return try readIdentity(&scanner, relationship, path, at: index, target, &problem)
    }

    /// Decides between a list of identities and one of records (Rules.md, R11).
    func settleLists(_ relationship: Int, _ target: StagedRow) {
        guard let (members, others) = target.table.settleLists(of: target.row, relationship) else { return }
        let table = staging.tables[target.entity.relationships[relationship].destination]
        guard let identity = table.entity.wireKeyColumns.first else { return }
        let listed = Set(members.map(\.identity.fingerprint))
        for row in others where row >= 0 && !listed.contains(table.row(row)[identity].fingerprint) {
            table.origins[row].isNoMember = true
        }
    }

    /// Reads a member that is listed by its identity.
    private func readIdentity(
        _ scanner: inout JSONScanner, _ relationship: Int, _ path: [String], at index: Int?, _ target: StagedRow,
        _ problem: inout RecordProblem?
    ) throws -> StagedMember {
        var reason: ValueProblem?
        var member = StagedMember()
        plan.spellings.place = .link
        defer { plan.spellings.place = .record }
        let link = target.entity.relationships[relationship]
        if try scanner.null() {
            reason = ValueProblem("is an identity; it is null")
        } else if let reader = identityReaders[link.destination].first {
            member.identity = try reader.read(&scanner, staging.arena, &reason)
        } else {
            try scanner.skipValue()
        }
        if let reason {
            let place = index.map { path.dropLast() + ["\(path.last ?? "")[\($0)]"] } ?? path
            report(reason, place, &problem)
        }
        return member
    }

    /// Reads an embedded to-one, from either end.
    func readOne(
        _ scanner: inout JSONScanner, _ relationship: Int, _ path: [String], _ target: StagedRow,
        _ problem: inout RecordProblem?
    ) throws {
        let isNull = try scanner.null()
        let row = isNull ? nil : try readEmbedded(&scanner, relationship, target, at: -1)
        take(row, ofEmbedded: relationship, path, target, &problem)
    }

    /// Reads the row of an embedded to-one; `nil` for null.
    func take(
        _ row: Int?, ofEmbedded relationship: Int, _ path: [String], _ target: StagedRow,
        _ problem: inout RecordProblem?
    ) {
        let link = target.entity.relationships[relationship]
        guard link.foreignKey != nil else {
            let members = row.map { [StagedMember(row: Int32($0))] } ?? []
            return target.table.append(
                StagedMembership(row: target.row, relationship: relationship, form: .records), members)
        }
        target.table.forgetLinks(of: target.row, relationship)
        if row == nil, link.description.isEmbedded { return clear(relationship, path, target, &problem) }
        target.table.append(
            StagedLink(
                row: Int32(target.row), relationship: Int16(relationship), targetTable: Int16(link.destination),
                targetRow: Int32(row ?? -1)))
    }

    /// Reads a record in its owner's JSON. If it holds the key of the link, it is linked to its owner.
    private func readEmbedded(
        _ scanner: inout JSONScanner, _ relationship: Int, _ target: StagedRow, at index: Int
    ) throws -> Int {
        let link = target.entity.relationships[relationship]
        let row = try read(&scanner, plan.entities[link.destination], target.origin(of: relationship, at: index))
        linkToOwner(row, relationship, target)
        return row
    }

    /// Links an embedded record that holds the key of the link to its owner.
    func linkToOwner(_ row: Int, _ relationship: Int, _ target: StagedRow) {
        let link = target.entity.relationships[relationship]
        let destination = plan.entities[link.destination]
        if link.foreignKey == nil, let inverse = link.inverse, destination.relationships[inverse].foreignKey != nil {
            staging.tables[link.destination].append(
                StagedLink(
                    row: Int32(row), relationship: Int16(inverse), targetTable: Int16(target.entity.index),
                    targetRow: Int32(target.row), isOwner: true))
        }
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
        for (index, link) in target.entity.relationships.enumerated() where mayLack(link, target) {
            fillMissing(index, link, target)
        }
    }

    /// Whether a missing relationship counts as empty: it does not if the other end sends it, and an embedded record
    /// does not send its owner.
    private func mayLack(_ link: MergeRelationship, _ target: StagedRow) -> Bool {
        if link.description.wire == .none { return false }
        if link.description.embeddingInverse != nil, target.table.origins[target.row].isNested { return false }
        return ownership?.isSent(link.description, of: target.entity.plan) ?? true
    }

    private func fillMissing(_ relationship: Int, _ link: MergeRelationship, _ target: StagedRow) {
        if let columns = link.foreignKey {
            let isStated =
                target.table.hasLink(of: target.row, relationship)
                || columns.contains { target.cells[$0].kind != .absent }
            if !isStated, !link.isRequired { columns.forEach { target.cells[$0] = .null } }
        } else if !target.table.hasMembership(of: target.row, relationship) {
            empty(relationship, link.isEmbedded ? .records : .identities, target)
        }
    }
}

extension MergeRelationship {
    var isEmbedded: Bool { description.isEmbedded }
}
