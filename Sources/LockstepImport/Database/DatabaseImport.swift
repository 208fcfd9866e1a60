import Foundation
import LockstepJSON
import LockstepSchema

/// Creates a schema from a database.
final class DatabaseImport {
    /// The schema, and what each part of it was created from.
    struct Result {
        let report: ImportReport
        let repaired: RepairedSchema
        /// By the names of tables.
        let entities: [String: DatabaseEntity]
        let joins: [DatabaseLinks.Join]

        var sketch: SchemaSketch { repaired.sketch }
        var schema: Schema { repaired.schema }
    }

    let source: any DatabaseSource
    let notes: ImportNotes
    var names: DatabaseNames
    var sketch: SchemaSketch
    var entities: [String: DatabaseEntity] = [:]
    /// The names of the enums by those in the database.
    private var enumerations: [String: String] = [:]
    private let excluded: Set<String>

    /// - Parameter excluded: The foreign keys that do not become relationships.
    init(
        _ source: any DatabaseSource, name: String, notes: ImportNotes, excluding excluded: Set<String> = []
    ) {
        (self.source, self.notes, self.excluded) = (source, notes, excluded)
        sketch = SchemaSketch(name: name)
        names = DatabaseNames(source.tables, schema: name)
        sketch.hasColumnsAsWritten = names.isAsWritten
        sketch.isFromServer = source.isServer
        if source.isServer, !names.isAsWritten { sketch.wire["names"] = "snake_case" }
    }

    func run(path: String) throws(ImportFailure) -> Result {
        source.introduce(notes)
        addEnumerations()
        let links = DatabaseLinks(source, excluding: excluded, notes: notes)
        let joined = Set(links.joins.map(\.table.name))
        for table in source.tables where !joined.contains(table.name) {
            add(table, keys: links.keys[table.name] ?? [])
        }
        links.add(to: self)
        for index in sketch.entities.indices {
            guard let table = sketch.entities[index].source, let made = entities[table] else { continue }
            DatabaseIndexes(made, notes: notes).add(to: &sketch.entities[index])
        }
        sketch.nameEnumDefaults()
        source.report(on: self)
        let repaired = try sketch.repair(notes, path: path)
        return Result(report: notes.report, repaired: repaired, entities: entities, joins: links.joins)
    }

    private func addEnumerations() {
        for enumeration in source.enumerations {
            let name = names.type(enumeration.name)
            enumerations[enumeration.type] = name
            sketch.enums.append(EnumSketch(name: name, values: enumeration.values.map(JSONValue.string)))
            sketch.enums[sketch.enums.count - 1].line = enumeration.line
        }
        if !sketch.enums.isEmpty { notes.explainOpenEnums() }
    }

    private func add(_ table: DatabaseTable, keys: [DatabaseLinks.Key]) {
        let name = names.entity(table.name)
        var entity = EntitySketch(name: name, line: table.line)
        entity.source = table.name
        if source.isAdopted, names.derived.name(name) != table.name { entity.table = table.name }
        entity.documentation = table.documentation
        let made = DatabaseEntity(table, name: name, keys: keys)
        if source.isServer { reportKeysOfIdentity(made) }
        let checks = DatabaseChecks(table)
        for check in checks.others {
            notes.left(
                check.line, text: "\(table.name): CHECK (\(check.text))", help: "Check it in Swift, in `validate()`.")
        }
        for column in table.columns {
            if column.isGenerated, !source.isServer {
                notes.left(
                    nil, text: "\(table.name).\(column.name), a generated column",
                    help: "Write it in Swift, as a computed property.")
                continue
            }
            let limits = checks.limits[column.name]
            if made.isOnlyOfLink(column) {
                reportLink(column, limits: limits, in: table)
            } else {
                addAttribute(column, limits: limits ?? DatabaseChecks.Limits(), made: made, of: &entity)
            }
        }
        addIdentity(made, of: &entity)
        source.complete(&entity, of: made, notes: notes)
        if source.isServer { addRemote(made, of: &entity) }
        sketch.entities.append(entity)
        entities[table.name] = made
    }

    private static let pathCharacters = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))

    /// A server has a path for each table, and sends only records with an identity.
    private func addRemote(_ made: DatabaseEntity, of entity: inout EntitySketch) {
        let name = made.table.name
        let path = "/" + (name.addingPercentEncoding(withAllowedCharacters: Self.pathCharacters) ?? "")
        // Both are steps of a path, also if they are escaped.
        let isStep = name == "." || name == ".."
        if isStep { notes.left(nil, text: "The table '\(name)': no request can name it", help: "Rename it.") }
        if made.identity.isEmpty || isStep {
            entity.remote = .absent
        } else {
            let isUsual = UsableName.collectionPath(made.name) == path
            if isUsual, source.wrap == nil { return }
            entity.remote = .options(path: isUsual ? nil : path, wrap: source.wrap)
        }
    }

    /// The import adds no columns to the tables of a server.
    private func reportKeysOfIdentity(_ made: DatabaseEntity) {
        for key in made.removeKeysOfIdentity() {
            let columns = key.columns.map(\.name).joined(separator: ", ")
            notes.left(
                key.columns[0].line,
                text: "\(made.table.name).\(columns): the relationship to \(names.entity(key.target.name))",
                help: "It is an attribute, because it is part of the identity.")
        }
    }

    // MARK: Attributes

    private func addAttribute(
        _ column: DatabaseColumn, limits: DatabaseChecks.Limits, made: DatabaseEntity, of entity: inout EntitySketch
    ) {
        let subject = "\(made.table.name).\(column.name)"
        guard let result = source.type(of: column, in: made.table, limits: limits, notes: notes) else { return }
        if let digits = result.digits {
            notes.left(
                column.line, text: "\(subject): the digits of \(digits)", help: "Check them in Swift, in `validate()`.")
        }
        let isKey = made.identity.contains { $0.isNamed(column.name) }
        // The relationship has the name of what it refers to.
        let isOfLink = made.isOfLink(column)
        let key = isOfLink ? made.keys.first { $0.columns.contains { $0.isNamed(column.name) } } : nil
        let wanted = column.isAssigned ? "remoteID" : key.map { keyName(of: column, key: $0) } ?? column.name
        let name = names.attribute(wanted, of: entity.name)
        var member = MemberSketch(name: name, type: TypeSketch(name: result.type, isList: result.isList))
        (member.source, member.line) = (column.name, column.line)
        let options = DatabaseAttributeOptions(column, subject: subject, notes: notes)
        options.addDefault(to: &member)
        if let name = column.enumeration.flatMap({ enumerations[$0] })
            ?? enumeration(of: limits, result: result, owner: entity.name, member: member.name)
        {
            member.type.name = name
            options.reportOthers(limits, result: result)
        } else {
            options.addLimits(limits, result: result, to: &member)
        }
        if isKey {
            // Devices create UUIDs, as the database does. Another default would give several records the same identity.
            if column.defaultValue != .newUUID { member.defaultValue = nil }
            if result.hasMissingValues {
                notes.left(
                    column.line, text: "\(subject): rows in which it is NULL",
                    help: "It identifies records. Give these rows a value, or the script of `--rows` leaves them out.")
            }
        }
        member.isOptional = column.isAssigned || !isKey && (!column.isRequired || column.isGenerated)
        member.isReadOnly = column.isGenerated
        member.wire = result.wire
        if isOfLink {
            notes.decided(
                column.line,
                text: "\(subject) is in the key and refers to a table: '\(name)' is the attribute in the identity, and "
                    + "the relationship has a column of its own",
                help: "Give both the same value in new records.")
        } else if names.derived.name(name) != column.name {
            if source.isAdopted { member.column = column.name }
            if source.isServer { member.key = [column.name] }
        }
        member.documentation = column.documentation
        made.forms[column.name] = result.form
        entity.attributes.append(member)
    }

    /// Adds a closed enum of the values that a constraint allows, and returns its name; `nil` if they are no texts or
    /// whole numbers.
    private func enumeration(
        of limits: DatabaseChecks.Limits, result: DatabaseValueType, owner: String, member: String
    ) -> String? {
        guard let isInteger = EnumSketch.areIntegers(limits.values), !result.isList,
            isInteger ? TypeSketch.integers.contains(result.type) : result.type == "string"
        else { return nil }
        let name = names.type(owner + member.prefix(1).uppercased() + member.dropFirst())
        var enumeration = EnumSketch(name: name, values: limits.values)
        enumeration.isClosed = true
        sketch.enums.append(enumeration)
        return name
    }

    /// A relationship has no default and no limits.
    private func reportLink(_ column: DatabaseColumn, limits: DatabaseChecks.Limits?, in table: DatabaseTable) {
        let subject = "\(table.name).\(column.name)"
        if let text = column.defaultText, column.defaultValue != .null {
            notes.left(
                column.line, text: "\(subject): DEFAULT \(text)", help: "Set it in Swift where you create records.")
        }
        if limits != nil {
            notes.left(
                column.line, text: "\(subject): its CHECK, because it is a relationship",
                help: "Check it in Swift, in `validate()`.")
        }
    }

    private func keyName(of column: DatabaseColumn, key: DatabaseLinks.Key) -> String {
        if key.columns.count > 1 { return column.name + "_key" }
        return (key.destination ?? DatabaseNames.lowerFirst(names.entity(key.target.name))) + "_key"
    }

    // MARK: Identity

    private func addIdentity(_ made: DatabaseEntity, of entity: inout EntitySketch) {
        let table = made.table
        let chosen = made.identity.compactMap { column in entity.attributes.first { $0.source == column.name } }
        let unsuitable = chosen.first { !$0.type.isIndexable }
        if chosen.isEmpty || unsuitable != nil {
            let name = names.attribute("localID", of: entity.name)
            let reason = unsuitable.map { "'\($0.name)' is \($0.type)" } ?? "the table has no key"
            entity.identity = .attributes([name])
            made.identity = []
            if source.isServer {
                entity.attributes.insert(.unsentKey(named: name, because: reason), at: 0)
                return notes.decided(
                    table.line, text: "\(table.name): \(MemberSketch.unsentKeyReason(name))",
                    help: MemberSketch.unsentKeyHelp(name))
            }
            entity.attributes.insert(.localKey(named: name, because: reason), at: 0)
            notes.decided(
                table.line,
                text: "\(table.name): \(unsuitable == nil ? "it has no key" : reason), "
                    + "so each record gets a new '\(name)'",
                help: "If an attribute identifies them, write 'identity:' and remove '\(name)'.")
            return
        }
        let members = chosen.map(\.name)
        if made.identity.contains(where: \.isAssigned) {
            let local = names.attribute("localID", of: entity.name)
            entity.attributes.insert(.newKey(named: local), at: 0)
            entity.identity = .local(local, remote: members[0])
            return notes.decided(
                table.line,
                text: "\(entity.name): the database makes '\(made.identity[0].name)', so the identity is '\(local)' on "
                    + "the device and '\(members[0])' on the server")
        }
        entity.identity = IdentitySketch(members)
        if table.key.isEmpty {
            notes.decided(
                table.line,
                text: "\(table.name): its identity is \(members.joined(separator: ", ")), which is unique and required")
        }
    }
}
