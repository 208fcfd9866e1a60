import Foundation
import GRDB
import LockstepEvolution
import LockstepInspection
import LockstepStore
import LockstepSystem

/// Migrates copies of one file in several ways, and compares the results.
struct MigrationTrial {
    let schemas: RecordedSchemas
    let target: SchemaDescription
    let version: Int
    let folder: URL
    let seed: UInt64

    /// The time of all migrations, so that the default `now` is the same in each.
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static let inspection = InspectionOptions(checksIntegrity: false, at: now)

    /// - Throws: `MigrationCheckFailure` if the file is not migrated as it must be.
    func run(_ file: URL) throws {
        let former = try schemas.schema(at: version)
        let last = try schemas.schema(at: schemas.history.head.number)
        let before = try snapshot(of: file, in: former)
        var findings: [String] = []
        let direct = try copy(file, named: "direct")
        let evolution = try SchemaEvolution(
            from: schemas.history.structure(at: version),
            by: schemas.history.versions.filter { $0.number > version })
        let plan = try reading(direct) { database in
            MigrationPlan(evolution, in: try FileStructure(database).tables(), now: Self.now.timeIntervalSince1970)
        }
        findings += try interruptions(file, before: before, former: former)
        try open(direct, as: target)
        let after = try snapshot(of: direct, in: last)
        findings += MigrationComparison(evolution: evolution, plan: plan, before: before, after: after).violations()
        if let difference = try reading(direct, body: { try FileStructure($0).difference(from: last.structure) }) {
            findings.append("the tables are not those of a new store: \(difference)")
        }
        if let foreign = try InspectedFile(direct).report(Self.inspection).integrity.foreignTriggers?.first {
            findings.append("“\(foreign.name)” of “\(foreign.table)” is no trigger of a new store")
        }
        findings += try repeated(file, after: after, last: last, plan: plan)
        findings += try stepwise(file, after: after, last: last, plan: plan)
        // A second time, nothing is done.
        try open(direct, as: target)
        if try snapshot(of: direct, in: last) != after { findings.append("opening it again changes it") }
        guard findings.isEmpty else { throw MigrationCheckFailure(version: version, seed: seed, findings: findings) }
    }

    // MARK: Ways

    /// A migration that is interrupted anywhere leaves the file as it was.
    private func interruptions(_ file: URL, before: MigrationSnapshot, former: RecordedSchema) throws -> [String] {
        let copy = try copy(file, named: "interrupted")
        var findings: [String] = []
        for limit in [0, 1, 2, 3, 5, 8] {
            let count = Locked(0)
            var options = options()
            options.isCancelled = {
                count.withLock { count in
                    count += 1
                    return count > limit
                }
            }
            do { try opening(copy, in: target, options: options).open().writer.close() } catch is CancellationError {
                if try snapshot(of: copy, in: former) != before {
                    findings.append("interrupting it after \(limit) checks leaves another file")
                }
                continue
            }
            break
        }
        return findings
    }

    /// An app's conversion gives the same for the same row.
    private func repeated(
        _ file: URL, after: MigrationSnapshot, last: RecordedSchema, plan: MigrationPlan
    ) throws -> [String] {
        guard !plan.conversions.isEmpty else { return [] }
        let copy = try copy(file, named: "repeated")
        try open(copy, as: target)
        let result = try snapshot(of: copy, in: last)
        return plan.conversions.compactMap { planned in
            func converted(_ snapshot: MigrationSnapshot) -> [String: [String: DatabaseValue]] {
                (snapshot.rows[planned.entity] ?? [:]).mapValues { $0.filter { planned.outputs.contains($0.key) } }
            }
            let (rows, others) = (converted(after), converted(result))
            guard rows != others else { return nil }
            return "the conversion “\(planned.conversion.id)” gives another value for the same row: "
                + Self.difference(rows, others: others)
        }
    }

    /// Migrating version by version gives the same.
    private func stepwise(
        _ file: URL, after: MigrationSnapshot, last: RecordedSchema, plan: MigrationPlan
    ) throws -> [String] {
        let copy = try copy(file, named: "stepwise")
        for next in schemas.history.versions where next.number > version {
            try open(copy, as: schemas.schema(at: next.number).description)
        }
        if target.isDraft { try open(copy, as: target) }
        let result = try snapshot(of: copy, in: last)
        guard !plan.evolution.hasRandomValues else { return [] }
        var findings: [String] = []
        for (name, rows) in after.rows {
            let others = result.rows[name] ?? [:]
            guard rows != others else { continue }
            findings.append(
                "migrating step by step gives other rows of \(name): \(Self.difference(rows, others: others))")
        }
        for (name, rows) in after.bases where rows != result.bases[name] ?? [:] {
            findings.append("migrating step by step gives other bases of \(name)")
        }
        if after.joins != result.joins { findings.append("migrating step by step gives other links") }
        if after.pending != result.pending { findings.append("migrating step by step gives other pending changes") }
        return findings
    }

    /// The first difference, for the message.
    private static func difference(
        _ rows: [String: [String: DatabaseValue]], others: [String: [String: DatabaseValue]]
    ) -> String {
        for key in Set(rows.keys).union(others.keys).sorted() where rows[key] != others[key] {
            guard let row = rows[key], let other = others[key] else { return "\(key) is only in one" }
            for column in row.keys.sorted() where row[column] != other[column] {
                return "\(column) of \(key) is \(row[column] ?? .null), and \(other[column] ?? .null)"
            }
        }
        return "none"
    }

    // MARK: Files

    private func copy(_ file: URL, named name: String) throws -> URL {
        let url = folder.appendingPathComponent("\(name).sqlite")
        try FileManager.default.copyItem(at: file, to: url)
        return url
    }

    private func options() -> MigrationOptions {
        var options = MigrationOptions()
        options.now = { Self.now }
        return options
    }

    private func opening(_ url: URL, in schema: SchemaDescription, options: MigrationOptions) -> StoreOpening {
        StoreOpening(schema: schema, location: .file(url), configuration: Configuration(), options: options)
    }

    private func open(_ url: URL, as schema: SchemaDescription) throws {
        try opening(url, in: schema, options: options()).open().writer.close()
    }

    private func reading<Value>(_ url: URL, body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        return try queue.read(body)
    }

    private func snapshot(of url: URL, in schema: RecordedSchema) throws -> MigrationSnapshot {
        try reading(url) { try MigrationSnapshot($0, schema: schema) }
    }
}
