import Foundation
package import LockstepEvolution
import LockstepRemotes
import LockstepTables

/// Creates sample records of a schema with new identities.
package struct SampleMaker: Sendable {
    private let schema: SchemaPlan
    /// The user to whom the records belong, as the token names them.
    private let user: String?

    package init(_ structure: SchemaStructure, user: String?) {
        schema = SchemaPlan(structure)
        self.user = user
    }

    // MARK: Entities

    /// The entity whose records are created.
    ///
    /// - Parameter name: Its name; `nil` for the first suitable one, preferably one that belongs to another record and
    ///   has a second member that can be changed.
    func subject(_ name: String?) throws(ConformanceFailure) -> SampleSubject {
        if let name {
            guard let plan = schema[name] else {
                throw ConformanceFailure(
                    "the schema has no entity '\(name)'",
                    remedy: "Name one of \(schema.map(\.name).joined(separator: ", "))")
            }
            return try subject(plan)
        }
        let fit = schema.compactMap { try? subject($0) }.filter { scope(of: $0.entity.plan) != .everyone }
        let inner = fit.filter { if case .relationship = scope(of: $0.entity.plan) { true } else { false } }
        guard let best = inner.first(where: { $0.other != nil }) ?? inner.first ?? fit.first else {
            throw ConformanceFailure(
                "no entity has a text that can be changed", remedy: "Add an attribute of the type 'string' to one.")
        }
        return best
    }

    private func subject(_ plan: EntityPlan) throws(ConformanceFailure) -> SampleSubject {
        guard let remote = plan.remote, remote.writes == Set(RemoteStructure.Write.allCases), plan.hasIdentity else {
            throw ConformanceFailure(
                "'\(plan.name)' has no identity, or is not created, updated and deleted on the server",
                remedy: "Choose another entity with --entity.")
        }
        try checkKey(of: plan)
        let free = plan.columns.indices.filter { isFree($0, of: plan) }
        let isLong = { (column: Int) in plan.columns[column].isLong(Self.markLength) }
        guard let text = free.first(where: { plan.columns[$0].type == .string && isLong($0) }) else {
            throw ConformanceFailure(
                "'\(plan.name)' has no text that a case can change", remedy: "Choose another entity with --entity.")
        }
        let flag = free.first { plan.columns[$0].type == .bool }
        let other = free.first { $0 != text && plan.columns[$0].type == .string && isLong($0) }
        return SampleSubject(entity: RemoteEntity(plan), text: text, other: flag ?? other)
    }

    /// Whether a column is an attribute that can have any value of its type.
    private func isFree(_ index: Int, of plan: EntityPlan) -> Bool {
        let column = plan.columns[index]
        guard case .attribute(let name) = column.content, let wire = column.wire, !wire.isReadOnly else { return false }
        return !column.isUnique && !plan.identityColumns.contains(index) && plan.versionColumn != index
            && !isUser(name, of: plan)
    }

    /// - Throws: ``ConformanceFailure`` if a new record could have the identity of another one.
    private func checkKey(of plan: EntityPlan) throws(ConformanceFailure) {
        if plan.remoteColumn != nil || plan.keyColumns.contains(where: { plan.columns[$0].hasUniqueSamples }) { return }
        throw ConformanceFailure(
            "the identity of '\(plan.name)' has too few values for new records",
            remedy: "Choose another entity with --entity.")
    }

    func scope(of plan: EntityPlan) -> RecordScope? { schema.structure.entity(plan.name)?.scope }

    /// Whether an attribute holds the user whose records these are.
    private func isUser(_ attribute: String, of plan: EntityPlan) -> Bool {
        guard let entity = schema.structure.entity(plan.name) else { return false }
        if entity.scope == .attribute(attribute) { return true }
        return [entity.readers, entity.writers].contains { rule in
            guard case .users(let paths)? = rule else { return false }
            return paths.contains(AccessPath(attribute: attribute))
        }
    }

    /// The records that must exist before one of an entity, by the relationship that refers to them.
    func destinations(of plan: EntityPlan) throws(ConformanceFailure) -> [(relationship: Int, plan: EntityPlan)] {
        var found: [(Int, EntityPlan)] = []
        for (index, relationship) in plan.relationships.enumerated() {
            guard case .toOne(columns: _, position: _, isRequired: true) = relationship.kind else { continue }
            guard case .id = relationship.wire else {
                throw ConformanceFailure(
                    "'\(plan.name).\(relationship.name)' is required and not sent as an identity",
                    remedy: "Choose another entity with --entity.")
            }
            try checkKey(of: relationship.destination)
            found.append((index, relationship.destination))
        }
        return found
    }

    // MARK: Records

    /// The number of characters by which a record is recognized.
    static let markLength = 8

    /// A text that no other record has.
    static func mark() -> String { String(UUID().uuidString.lowercased().prefix(markLength)) }

    /// A record with all values that are required.
    ///
    /// - Parameter links: The records that it refers to, by relationship.
    func record(of plan: EntityPlan, linkedTo links: [Int: SampleRecord]) throws -> SampleRecord {
        let mark = Self.mark()
        var body = JSONValue.object([:])
        var marked: [[String]] = []
        for (index, column) in plan.columns.enumerated() {
            guard case .attribute(let name) = column.content, let wire = column.wire, !wire.isReadOnly else { continue }
            let isUnique = plan.keyColumns.contains(index) || column.isUnique
            // The server assigns it.
            if plan.remoteColumn == index || plan.versionColumn == index { continue }
            if isUser(name, of: plan) {
                body.set(try userValue(in: column, of: plan), at: wire.path)
            } else if isUnique, let value = try column.uniqueSample() {
                body.set(value, at: wire.path)
            } else if isUnique || !column.isOptional || column.type == .string {
                body.set(try value(in: column, mark: mark, of: plan), at: wire.path)
                if column.type == .string, column.isLong(Self.markLength) { marked.append(wire.path) }
            }
        }
        for (index, record) in links {
            guard case .id(let paths, _) = plan.relationships[index].wire else { continue }
            for (path, value) in zip(paths, record.identity?.values ?? []) { body.set(value, at: path) }
        }
        let entity = RemoteEntity(plan)
        return SampleRecord(
            entity: entity, identity: entity.identity(in: body), body: body, mark: mark, marked: marked)
    }

    private func value(in column: ColumnDescription, mark: String, of plan: EntityPlan) throws -> JSONValue {
        let attribute = schema.structure.entity(plan.name)?.attribute(column.memberName)
        var first: CaseValue?
        if case .enumeration(let name)? = attribute?.type {
            first = schema.structure.enumeration(name)?.cases.first?.rawValue
        }
        guard let value = try column.sample(mark, now: Date(), enumeration: first) else {
            throw ConformanceFailure(
                "no value can be made for '\(plan.name).\(column.memberName)'",
                remedy: "Choose another entity with --entity.")
        }
        return value
    }

    private func userValue(in column: ColumnDescription, of plan: EntityPlan) throws -> JSONValue {
        guard let user else {
            throw ConformanceFailure(
                "'\(plan.name).\(column.memberName)' holds the user, whom the token does not name",
                remedy: "Pass the identity of the user with --user.")
        }
        return column.type.isInteger ? Int64(user).map(JSONValue.integer) ?? .string(user) : .string(user)
    }
}

/// The entity whose records are created, and the columns that cases change.
struct SampleSubject: Sendable {
    let entity: RemoteEntity
    /// A text.
    let text: Int
    /// A flag or another text; `nil` if there is none.
    let other: Int?

    /// The text of a record.
    func text(in record: JSONValue) -> String? {
        guard let path = entity.plan.columns[text].wire?.path, case .string(let text)? = record.value(at: path) else {
            return nil
        }
        return text
    }
}
