import LockstepTables

/// Reads records from JSON into the staging area: each value once, by the description of its entity.
///
/// A value that is JSON, but is not valid by the schema, causes its record to be skipped (Rules.md, M12). The rest of
/// the record is still read, because all of it must be JSON, and because its identity shows that the server still has
/// it.
final class RecordReader {
    let staging: Staging
    let plan: MergePlan
    private let arena: TextArena
    let recorder: any SkipRecorder
    private let missingKeys: MissingKeys
    let ownership: WireOwnership?
    /// Values under keys of earlier versions, of the record that is being read and of those around it.
    var formerValues: [FormerValue] = []
    /// For each entity, the readers of the identity that the server assigns.
    let identityReaders: [[ColumnReader]]

    init(
        _ staging: Staging, recorder: any SkipRecorder, missingKeys: MissingKeys,
        ownership: WireOwnership? = nil
    ) {
        self.staging = staging
        arena = staging.arena
        self.recorder = recorder
        self.missingKeys = missingKeys
        self.ownership = ownership
        plan = staging.plan
        identityReaders = plan.entities.map { entity in
            entity.wireKeyColumns.map { entity.reader($0).takeUnretainedValue() }
        }
    }

    /// Reads one record, which may be any JSON value.
    ///
    /// - Parameter mapKey: The key of the record in a map, which is its identity if its JSON lacks one.
    /// - Returns: The row.
    /// - Throws: `JSONSyntaxError`; errors of the recorder if an invalid record aborts the merge.
    @discardableResult
    func read(
        _ scanner: inout JSONScanner, of entity: MergeEntity, origin: Origin, mapKey: JSONScanner.Text? = nil
    ) throws -> Int {
        let table = staging.tables[entity.index]
        let row = table.append(origin)
        let target = StagedRow(entity: entity, table: table, row: row, record: origin.record)
        if let keys = entity.identityKeys {
            try keep(&scanner, keys: keys, into: target, mapKey: mapKey)
        } else {
            try read(&scanner, into: target, mapKey: mapKey)
        }
        return row
    }

    private func read(_ scanner: inout JSONScanner, into target: StagedRow, mapKey: JSONScanner.Text?) throws {
        guard scanner.peek() == UInt8(ascii: "{") else {
            try scanner.skipValue()
            return try skip(target.row, of: target.entity, problem: RecordProblem([], reason: "is not an object"))
        }
        var problem: RecordProblem?
        try readRecord(&scanner, keys: target.entity.keys, into: target, problem: &problem)
        if let mapKey, problem == nil { try readIdentity(mapKey, into: target, problem: &problem) }
        try finish(target, problem: problem)
    }

    /// Keeps a record for its hooks, with its identity if that can be read. A hook may fix invalid values.
    private func keep(
        _ scanner: inout JSONScanner, keys: KeyTable, into target: StagedRow, mapKey: JSONScanner.Text?
    ) throws {
        guard scanner.peek() == UInt8(ascii: "{") else { return try read(&scanner, into: target, mapKey: mapKey) }
        let start = scanner.cursor
        let offset = scanner.offset
        var problem: RecordProblem?
        try readRecord(&scanner, keys: keys, into: target, problem: &problem)
        if let mapKey, problem == nil { try readIdentity(mapKey, into: target, problem: &problem) }
        staging.raws.append(
            RawRecord(
                table: target.entity.index, row: target.row,
                bytes: UnsafeBufferPointer(start: start, count: scanner.cursor - start), offset: offset, mapKey: mapKey)
        )
    }

    /// Reads the JSON that a hook has returned for a record into its existing row.
    ///
    /// - Parameter offset: The offset of the bytes in the payload.
    func read(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int, raw: RawRecord, of entity: MergeEntity) throws {
        let table = staging.tables[raw.table]
        table.clear(raw.row)
        var scanner = JSONScanner(bytes, baseOffset: offset)
        let origin = table.origins[raw.row]
        try read(
            &scanner, into: StagedRow(entity: entity, table: table, row: raw.row, record: origin.record),
            mapKey: raw.mapKey)
    }

    /// Completes a record whose values were read.
    func finish(_ target: StagedRow, problem: RecordProblem?) throws {
        var problem = problem
        for relationship in target.entity.compositeLinks { completeKey(relationship, into: target, problem: &problem) }
        for relationship in target.entity.listsInTwoForms { settleLists(relationship, into: target) }
        if missingKeys == .empty { fillMissing(target) }
        if let problem { try skip(target.row, of: target.entity, problem: problem) } else { try checkIdentity(target) }
    }

    /// Where a record's values are stored.
    struct StagedRow {
        let entity: MergeEntity
        let table: StagedTable
        let row: Int
        let record: Int32

        /// They keep their address while other records are staged.
        let cells: UnsafeMutablePointer<Cell>

        init(entity: MergeEntity, table: StagedTable, row: Int, record: Int32) {
            self.entity = entity
            self.table = table
            self.row = row
            self.record = record
            cells = table.row(row)
        }

        /// The origin of a record that is embedded in this one.
        func origin(of relationship: Int, at index: Int) -> Origin {
            var origin = Origin(record: record)
            origin.ownerTable = Int16(entity.index)
            origin.ownerRow = Int32(row)
            origin.relationship = Int16(relationship)
            origin.index = Int32(index)
            return origin
        }
    }

    func skip(_ row: Int, of entity: MergeEntity, problem: RecordProblem) throws {
        staging.skip(row, of: entity.index)
        let origin = staging.tables[entity.index].origins[row]
        try recorder.skip(
            entity, record: Int(origin.record), row: row, path: staging.path(to: row, of: entity.index) + problem.path,
            reason: problem.reason, isIdentityMissing: problem.isIdentityMissing)
    }

    /// A record without an identity cannot be matched (Rules.md, M4).
    func checkIdentity(_ target: StagedRow) throws {
        for column in target.entity.wireKeyColumns {
            let cell = target.cells[column]
            if cell.isValue { continue }
            // A record that was created locally and is returned with its local identity does not need another one.
            if target.entity.plan.remoteColumn != nil, target.cells[target.entity.plan.keyColumns[0]].kind == .text {
                return
            }
            let path = target.entity.plan.columns[column].wire?.path ?? []
            return try skip(
                target.row, of: target.entity,
                problem: RecordProblem(
                    path, reason: cell.kind == .null ? "is the identity; it is null" : "is the identity; it is missing",
                    isIdentityMissing: true))
        }
    }

    /// Uses the key of a map as the identity of the record under it.
    private func readIdentity(
        _ mapKey: JSONScanner.Text, into target: StagedRow, problem: inout RecordProblem?
    ) throws {
        guard target.entity.wireKeyColumns.count == 1, let column = target.entity.wireKeyColumns.first else { return }
        let (reader, known) = (target.entity.reader(column).takeUnretainedValue(), target.cells[column])
        // The key is the record's address, in whatever spelling the record repeats it.
        if known.kind != .absent { return reader.noteSpelling(mapKey.bytes, of: known) }
        // In quotes, it is JSON again.
        let quoted = staging.arena.allocate(mapKey.bytes.count + 2)
        quoted.initialize(repeating: UInt8(ascii: "\""))
        for (index, byte) in mapKey.bytes.enumerated() { quoted[index + 1] = byte }
        var scanner = JSONScanner(UnsafeBufferPointer(quoted))
        var reason: ValueProblem?
        target.cells[column] = try reader.read(&scanner, in: staging.arena, problem: &reason)
        if let reason { report(ValueProblem("has a key that \(reason.reason)"), at: [], problem: &problem) }
    }

    // MARK: Objects

    func readObject(
        _ scanner: inout JSONScanner, keys: KeyTable, into target: StagedRow, problem: inout RecordProblem?
    ) throws {
        var spellings: [Spelling] = []
        let start = scanner.cursor
        let depth = scanner.depth
        try scanner.open(UInt8(ascii: "{"))
        var previous = -1
        var isFirst = true
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            guard let index = try readKey(&scanner, keys: keys, after: previous) else {
                try scanner.skipValue()
                continue
            }
            previous = index
            let entry = keys[index]
            if entry.meaning == .column {
                try readColumn(&scanner, column: entry.index, keys: keys, key: index, into: target, problem: &problem)
            } else if entry.meaning == .spelling {
                _ = scanner.peek()
                spellings.append(Spelling(entry: index, known: entry.index, value: scanner.cursor))
                try scanner.skipValue()
            } else {
                try readValue(&scanner, entry: entry, keys: keys, key: index, into: target, problem: &problem)
            }
        }
        if !spellings.isEmpty {
            try read(spellings, in: scanner, from: start, depth: depth, keys: keys, into: target, problem: &problem)
        }
    }

    /// The entry of the next key; `nil` for one that is not remembered.
    @inline(__always)
    private func readKey(_ scanner: inout JSONScanner, keys: KeyTable, after previous: Int) throws -> Int? {
        if let guess = keys.guess(after: previous), scanner.takeKey(guess.name) { return guess.index }
        let name = try scanner.key()
        return keys.entry(name.hasEscapes ? name.unescaped(into: arena) : name.bytes, after: previous)
    }

    /// A value under another spelling of a known key.
    private struct Spelling {
        let entry: Int
        let known: Int
        let value: UnsafePointer<UInt8>
    }

    /// Another spelling counts if the key itself is missing, and there is only one such spelling (Rules.md, N1).
    private func read(
        _ spellings: [Spelling], in scanner: JSONScanner, from start: UnsafePointer<UInt8>, depth: Int,
        keys: KeyTable, into target: StagedRow, problem: inout RecordProblem?
    ) throws {
        // A copy moves back to the values, since the reader itself is past the object.
        var scanner = scanner
        scanner.move(to: start, depth: depth)
        let exact = try exactEntries(&scanner, keys: keys)
        var last: [Int: Int] = [:]
        var entries: [Int: Set<Int>] = [:]
        for (index, spelling) in spellings.enumerated() {
            last[spelling.entry] = index
            entries[spelling.known, default: []].insert(spelling.entry)
        }
        for (index, spelling) in spellings.enumerated() {
            // If a key occurs twice, the last occurrence counts.
            let isRead =
                !exact.contains(spelling.known) && entries[spelling.known]?.count == 1 && last[spelling.entry] == index
            keys.tally?.record(keys, entry: spelling.entry, isRead: isRead)
            guard isRead else { continue }
            scanner.move(to: spelling.value, depth: depth + 1)
            // A problem is reported under the key of the schema, as for a representation.
            try readValue(
                &scanner, entry: keys[spelling.known], keys: keys, key: spelling.known, into: target, problem: &problem)
        }
    }

    private func exactEntries(_ scanner: inout JSONScanner, keys: KeyTable) throws -> Set<Int> {
        var found: Set<Int> = []
        try scanner.open(UInt8(ascii: "{"))
        var isFirst = true
        while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            let name = try scanner.key()
            let bytes = name.hasEscapes ? name.unescaped(into: staging.arena) : name.bytes
            if let index = keys.find(bytes) { found.insert(index) }
            try scanner.skipValue()
        }
        return found
    }

    /// Reads the value of an attribute.
    @inline(__always)
    func readColumn(
        _ scanner: inout JSONScanner, column: Int, keys: KeyTable, key: Int, into target: StagedRow,
        problem: inout RecordProblem?
    ) throws {
        let reader = target.entity.reader(column)
        if scanner.peek() == UInt8(ascii: "n"), !reader._withUnsafeGuaranteedRef({ $0.takesNull }) {
            _ = try scanner.null()
            return readNull(column, at: keys.paths[key], into: target, problem: &problem)
        }
        var reason: ValueProblem?
        let cell = try reader._withUnsafeGuaranteedRef { try $0.read(&scanner, in: arena, problem: &reason) }
        target.cells[column] = cell
        if cell.count > Cell.greatestCount { reason = ValueProblem("is longer than SQLite allows") }
        if let reason { report(reason, at: keys.paths[key], problem: &problem) }
    }

    /// - Parameter key: The entry of the key of the value, which may be another spelling.
    private func readValue(
        _ scanner: inout JSONScanner, entry: KeyTable.Entry, keys: KeyTable, key: Int, into target: StagedRow,
        problem: inout RecordProblem?
    ) throws {
        let path = keys.paths[key]
        switch entry.meaning {
        case .column:
            try readColumn(&scanner, column: entry.index, keys: keys, key: key, into: target, problem: &problem)
        case .version:
            _ = scanner.peek()
            let start = scanner.cursor
            try readColumn(&scanner, column: entry.index, keys: keys, key: key, into: target, problem: &problem)
            staging.versions.append(
                StagedVersion(
                    table: target.entity.index, row: target.row,
                    json: UnsafeBufferPointer(start: start, count: scanner.cursor - start)))
        case .foreignKey:
            try readForeignKey(&scanner, for: entry.index, part: entry.part, at: path, into: target, problem: &problem)
        case .identities:
            try readMembers(&scanner, for: entry.index, form: .identities, at: path, into: target, problem: &problem)
        case .embeddedOne: try readOne(&scanner, for: entry.index, at: path, into: target, problem: &problem)
        case .embeddedMany:
            try readMembers(&scanner, for: entry.index, form: .records, at: path, into: target, problem: &problem)
        case .members:
            try readMembers(&scanner, for: entry.index, form: .either, at: path, into: target, problem: &problem)
        case .object: try readNested(&scanner, keys: keys.inner[entry.index], at: path, into: target, problem: &problem)
        case .former:
            _ = scanner.peek()
            formerValues.append(
                FormerValue(
                    column: entry.index, part: entry.part, value: scanner.cursor, depth: scanner.depth, keys: keys,
                    key: key))
            try scanner.skipValue()
        case .unread: try skipUnread(&scanner, at: path, into: target)
        case .unknown, .spelling: try scanner.skipValue()
        }
    }

    /// Records an invalid value. Of several ones, that with the first key path counts, since the keys of a JSON object
    /// have no order.
    func report(_ reason: ValueProblem, at path: [String], problem: inout RecordProblem?) {
        if let known = problem, !path.lexicographicallyPrecedes(known.path) { return }
        problem = RecordProblem(path, reason: reason.reason)
    }

    /// Null clears an optional value, and sets a required one to its default (Rules.md, M1).
    func readNull(_ column: Int, at path: [String], into target: StagedRow, problem: inout RecordProblem?) {
        let description = target.entity.plan.columns[column]
        if description.isOptional || target.entity.wireKeyColumns.contains(column) {
            target.cells[column] = .null
        } else if let value = target.entity.defaults[column] {
            // If the default differs for each record, an existing record keeps its value.
            if let fixed = value.fixed { target.cells[column] = fixed }
        } else {
            report(ValueProblem("is required; it is null"), at: path, problem: &problem)
        }
    }

    /// Reads values of the record that are in a nested object.
    private func readNested(
        _ scanner: inout JSONScanner, keys: KeyTable, at path: [String], into target: StagedRow,
        problem: inout RecordProblem?
    ) throws {
        switch scanner.peek() {
        case UInt8(ascii: "{"): try readObject(&scanner, keys: keys, into: target, problem: &problem)
        case UInt8(ascii: "n"):
            _ = try scanner.null()
            clear(keys, into: target, problem: &problem)
        default:
            try scanner.skipValue()
            report(ValueProblem("is not an object"), at: path, problem: &problem)
        }
    }
}

extension RecordReader {
    /// Null in place of an object means null for all of its values.
    private func clear(_ keys: KeyTable, into target: StagedRow, problem: inout RecordProblem?) {
        for index in 0..<keys.count {
            let entry = keys[index]
            switch entry.meaning {
            case .column, .version: readNull(entry.index, at: keys.paths[index], into: target, problem: &problem)
            case .foreignKey: clear(entry.index, at: keys.paths[index], into: target, problem: &problem)
            case .embeddedOne:
                take(nil, ofEmbedded: entry.index, at: keys.paths[index], into: target, problem: &problem)
            case .object: clear(keys.inner[entry.index], into: target, problem: &problem)
            case .identities: empty(entry.index, form: .identities, into: target)
            case .embeddedMany: empty(entry.index, form: .records, into: target)
            case .members: empty(entry.index, form: .either, into: target)
            case .unknown, .unread, .spelling, .former: break
            }
        }
    }
}
