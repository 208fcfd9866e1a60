package import LockstepEvolution
import GRDB
import LockstepJSON
import TestSupport

/// Files that follow many versions at once are equal to those that follow one after the other, and to new ones.
package enum EvolutionProperty {
    /// The kinds of changes of a history, of which no two depend on each other's order.
    ///
    /// What is pulled again depends on what was synced. Of records with one value, another stays if some are pulled again.
    package static func kinds(seed: UInt64) -> Set<RandomHistory.Kind> {
        let others: [RandomHistory.Kind] = seed.isMultiple(of: 2) ? [.refetch] : [.changeLocality, .becomeUnique]
        return Set(RandomHistory.Kind.allCases).subtracting(others)
    }

    private static let now = 1_750_000_000.5

    /// The history of a seed, to look at.
    package static func text(seed: UInt64, versions: Int) throws -> String {
        try RandomHistory.make(seed: seed, versions: versions, kinds: kinds(seed: seed)).text
    }

    /// - Returns: What was done at once, and how long that took to plan.
    /// - Throws: `PropertyFailure`.
    @discardableResult
    package static func check(seed: UInt64, versions: Int) throws -> String {
        do {
            let history = try RandomHistory.make(seed: seed, versions: versions, kinds: kinds(seed: seed))
            return try check(history, seed: seed)
        } catch let failure as PropertyFailure {
            throw failure
        } catch {
            throw PropertyFailure(seed: seed, reason: "\(error)")
        }
    }

    package static func check(_ history: SchemaHistory, seed: UInt64) throws -> String {
        let base = try SchemaStructure(history.base)
        var random = SeededRandom(seed: seed &* 31 &+ 7)
        var rows = HostileRows(base, random)
        let stepwise = try EvolutionFile(base)
        try stepwise.insert(rows.make())
        let (composed, once, original) = (try stepwise.copy(), try stepwise.copy(), try stepwise.copy())
        let later = Array(history.versions.dropFirst())
        let start = ContinuousClock.now
        let plan = try migrate(composed, from: history.base, by: later, "at once", seed)
        let duration = ContinuousClock.now - start
        try checkPlan(plan, seed)
        try checkValues(history, original, composed, seed)
        try checkLinks(plan, MemberTraces(history), seed)
        var tree = history.base
        for version in later {
            try migrate(stepwise, from: tree, by: [version], "version \(version.number)", seed)
            for change in version.changes { try tree.apply(change) }
        }
        let stop = random.number(0...later.count)
        let middle = try history.structure(at: history.versions[stop].number)
        try migrate(once, from: history.base, by: Array(later.prefix(stop)), "stopping at \(stop + 1)", seed)
        try migrate(once, from: middle, by: Array(later.dropFirst(stop)), "after \(stop + 1)", seed)
        let hidden = changesLocality(later) ? "lockstep_base_" : nil
        try compare(composed.rows(), stepwise.rows(), without: hidden, seed)
        try compare(once.rows(), stepwise.rows(), without: hidden, seed)
        do { try EvolutionFile(SchemaStructure(tree)).insert(from: composed) } catch {
            throw PropertyFailure(seed: seed, reason: "a row does not fit a new file: \(error)")
        }
        let works = plan.tables.map { "\($0.name) \($0.work)" }.joined(separator: ", ")
        return "\(later.count) versions in \(duration): \(works), \(plan.droppedTables.count) dropped"
    }

    /// Migrates a file by some versions, and compares its tables with those of a new one.
    @discardableResult
    private static func migrate(
        _ file: EvolutionFile, from tree: SchemaTree, by versions: [SchemaHistory.Version], _ place: String,
        _ seed: UInt64
    ) throws -> MigrationPlan {
        let evolution = try SchemaEvolution(from: tree, by: versions)
        let plan: MigrationPlan
        do { plan = try file.migrate(evolution, now: now) } catch {
            throw PropertyFailure(seed: seed, reason: "\(place): \(error)")
        }
        try compare(file.structure(), EvolutionFile(evolution.new).structure(), place, seed)
        try checkSymmetricLinks(file, evolution.new, place, seed)
        return plan
    }

    /// A symmetric link has a row for each direction.
    private static func checkSymmetricLinks(
        _ file: EvolutionFile, _ structure: SchemaStructure, _ place: String, _ seed: UInt64
    ) throws {
        for join in SchemaLookup(structure).joinTables where join.isSymmetric {
            let isBack = zip(join.left.columns + join.right.columns, join.right.columns + join.left.columns).map {
                "\("back".quotedName).\($0.quotedName) = \("links".quotedName).\($1.quotedName)"
            }
            let count = try file.queue.read { database in
                try Int.fetchOne(
                    database,
                    sql: """
                        SELECT COUNT(*) FROM \(join.name.quotedName) AS "links" WHERE NOT EXISTS \
                        (SELECT 1 FROM \(join.name.quotedName) AS "back" WHERE \(isBack.joined(separator: " AND ")))
                        """)
            }
            guard count == 0 else {
                throw PropertyFailure(
                    seed: seed, reason: "\(place): \(count ?? 0) links of \(join.name) have one direction")
            }
        }
    }

    /// Every value that no change mentions is where it was, in the records and in their bases.
    private static func checkValues(
        _ history: SchemaHistory, _ file: EvolutionFile, _ migrated: EvolutionFile, _ seed: UInt64
    ) throws {
        let traces = try MemberTraces(history)
        let last = try history.structure(at: history.head.number)
        let (former, new) = (try SchemaStructure(history.base), try SchemaStructure(last))
        let bases = changesLocality(history.versions) ? [false] : [false, true]
        try file.queue.read { database in
            try migrated.queue.read { later in
                let before = MemberValues(structure: former, reading: FileReading(database))
                let after = MemberValues(structure: new, reading: FileReading(later))
                for (name, present) in traces.entities where !traces.deleted.contains(name) {
                    guard try before.count(of: name) == after.count(of: present) else {
                        throw PropertyFailure(seed: seed, reason: "\(name) as \(present) has more or fewer records")
                    }
                    guard bases.count > 1 else { continue }
                    // A migration is no edit (V1, V2).
                    let unchanged = try before.unchangedRecords(of: name)
                    let edited = unchanged.subtracting(try after.unchangedRecords(of: present)).sorted()
                    guard edited.isEmpty else {
                        throw PropertyFailure(seed: seed, reason: "\(name) as \(present) seems edited: \(edited)")
                    }
                }
                for (path, present) in traces.members where !traces.deleted.contains(path.type) {
                    for inBases in bases {
                        let (old, values) = (
                            try before.values(of: path, inBases: inBases),
                            try after.values(of: present, inBases: inBases)
                        )
                        if old == values { continue }
                        throw PropertyFailure(
                            seed: seed, reason: "\(path) as \(present) was \(old ?? []) and is \(values ?? [])")
                    }
                }
            }
        }
    }

    /// Changed links that are recorded by name are found under the new one, or known to be lost.
    private static func checkLinks(_ plan: MigrationPlan, _ traces: MemberTraces, _ seed: UInt64) throws {
        let (former, new) = (plan.evolution.former, plan.evolution.new)
        let lost = Set(plan.lostLinks.map(\.name))
        let kept = Set(
            plan.evolution.entities.values.flatMap { entity in
                entity.members.values.compactMap { member in
                    entity.origin.flatMap { origin in member.origin.map { MemberPath(origin, member: $0) } }
                }
            })
        for entity in former.entities where traces.entities[entity.name] != nil {
            for path in entity.relationships.map({ MemberPath(entity.name, member: $0.name) }) {
                guard let name = former.linkName(of: path) else { continue }
                let link = entity.relationship(path.member ?? "")
                let inverse = MemberPath(link?.destination ?? "", member: link?.inverse)
                if !kept.contains(path), !kept.contains(inverse), !lost.contains(plan.linkNames[name] ?? name) {
                    throw PropertyFailure(seed: seed, reason: "links of \(path), \(name), are not known to be lost")
                }
                guard let present = traces.members[path] else { continue }
                let expected = new.linkName(of: present)
                let renamed = plan.linkNames[name] ?? name
                let found = lost.contains(renamed) ? "nothing" : renamed
                guard found == expected else {
                    throw PropertyFailure(
                        seed: seed,
                        reason: "links of \(path), \(name), become \(found) instead of \(expected ?? "nothing")")
                }
            }
        }
        let names = Set(
            new.entities.flatMap { entity in
                entity.relationships.compactMap { new.linkName(of: MemberPath(entity.name, member: $0.name)) }
            })
        if let name = plan.linkNames.values.first(where: { !names.contains($0) && !lost.contains($0) }) {
            throw PropertyFailure(seed: seed, reason: "links become \(name), which does not exist")
        }
        guard Set(plan.linkNames.values).count == plan.linkNames.count else {
            throw PropertyFailure(seed: seed, reason: "links get one name: \(plan.linkNames)")
        }
    }

    /// No table is written twice.
    private static func checkPlan(_ plan: MigrationPlan, _ seed: UInt64) throws {
        for table in plan.tables {
            let copies = table.statements.count { $0.hasPrefix("INSERT INTO") }
            let isOne = copies == 0 || copies == 1 && table.statements.count == 4
            guard isOne else { throw PropertyFailure(seed: seed, reason: "\(table.name) is written \(copies) times") }
        }
        guard Set(plan.tables.map(\.name)).count == plan.tables.count else {
            throw PropertyFailure(seed: seed, reason: "a table is changed twice")
        }
    }

    private static func compare(_ own: Set<String>, _ expected: Set<String>, _ place: String, _ seed: UInt64) throws {
        if own == expected { return }
        let missing = expected.subtracting(own).sorted().joined(separator: "\n    ")
        let extra = own.subtracting(expected).sorted().joined(separator: "\n    ")
        throw PropertyFailure(
            seed: seed, reason: "\(place), not as new.\n  Missing:\n    \(missing)\n  Extra:\n    \(extra)")
    }

    /// Whether an entity was not synced meanwhile, so that it had no bases.
    private static func changesLocality(_ versions: [SchemaHistory.Version]) -> Bool {
        versions.contains { version in
            version.changes.contains { change in
                guard case .change(from: let former, to: let new) = change.action, change.path.member == nil else {
                    return false
                }
                return (former["remote"] == nil) != (new["remote"] == nil)
            }
        }
    }

    private static func compare(
        _ own: [String: [String]], _ other: [String: [String]], without hidden: String?, _ seed: UInt64
    ) throws {
        for table in Set(own.keys).union(other.keys).sorted() where own[table] != other[table] {
            if let hidden, table.hasPrefix(hidden) { continue }
            let (composed, stepwise) = (own[table] ?? [], other[table] ?? [])
            let lines = zip(composed, stepwise).first { $0 != $1 }.map { "\n    \($0)\n    \($1)" } ?? ""
            throw PropertyFailure(
                seed: seed, reason: "\(table) at once has \(composed.count) rows, stepwise \(stepwise.count)\(lines)")
        }
    }
}

extension EvolutionFile {
    fileprivate func structure() throws -> Set<String> { try queue.read { try FileReading($0).structure() } }

    fileprivate func rows() throws -> [String: [String]] { try queue.read { try FileReading($0).rows() } }

    /// Inserts all rows of another file, by which the constraints see them.
    fileprivate func insert(from other: EvolutionFile) throws {
        let tables = try other.queue.read { database in
            let reading = FileReading(database)
            return try reading.rows().keys.map { ($0, try reading.rows(of: $0)) }
        }
        for (name, contents) in tables { try insert(contents.rows, contents.columns, into: name) }
    }
}
