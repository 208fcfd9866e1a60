/// The primary key of a table.
struct RailsKey {
    enum Kind: Equatable {
        /// A number that the database assigns.
        case assigned
        /// A column `id` that a device can assign.
        case own(type: String)
        /// Columns in the block of the table.
        case columns
        case none
    }

    let kind: Kind
    /// The columns; one that is not in the block is implied.
    let columns: [String]
    let line: Int
    private let table: RailsTable

    init(_ table: RailsTable) {
        self.table = table
        line = table.line
        if case .array(let names) = table.call.option("primary_key") {
            (columns, kind) = (names.compactMap(\.text), .columns)
            return
        }
        let name = table.call.option("primary_key")?.text ?? "id"
        if let column = table.columns.first(where: { $0.type == "primary_key" }) {
            (columns, kind) = ([column.name], .assigned)
            return
        }
        if table.call.option("id") == .bool(false) {
            if table.column(name) != nil, table.call.option("primary_key") != nil {
                (columns, kind) = ([name], .columns)
            } else {
                let unique = table.indexes.first { index in
                    index.isUnique && index.call.option("where") == nil
                        && index.columns.allSatisfy { table.column($0)?.isRequired == true }
                }
                (columns, kind) = (unique?.columns ?? [], unique == nil ? .none : .columns)
            }
            return
        }
        if table.column(name) != nil {
            (columns, kind) = ([name], .columns)
            return
        }
        var type = table.call.option("id")?.text ?? "bigint"
        if case .hash(let options) = table.call.option("id") {
            type = options.last { $0.key == "type" }?.value.text ?? "bigint"
        }
        columns = [name]
        kind = RailsType(type, limit: nil)?.name.hasPrefix("int") == false ? .own(type: type) : .assigned
    }

    var isComposite: Bool { columns.count > 1 }

    /// The type that columns which refer to it have; `nil` for several columns.
    var type: String? {
        switch kind {
        case .assigned: "int"
        case .own(let type): RailsType(type, limit: nil)?.name
        case .columns where columns.count == 1:
            table.column(columns[0]).flatMap { RailsType($0.type, limit: nil)?.name }
        case .columns, .none: nil
        }
    }

    /// Adds the attributes of the identity, except for those of several columns.
    func add(to entity: inout EntitySketch, columns: RailsColumns) {
        reportOptions(entity.name, notes: columns.notes)
        switch kind {
        case .assigned: addAssigned(to: &entity, columns: columns)
        case .own(let type): addOwn(type, to: &entity, columns: columns)
        case .columns: addColumns(to: &entity, columns: columns)
        case .none:
            let name = columns.free("localID")
            columns.notes.decided(
                line, text: "\(entity.name): \(MemberSketch.unsentKeyReason(name))",
                help: MemberSketch.unsentKeyHelp(name))
            entity.attributes.append(.unsentKey(named: name, because: "the table has no primary key"))
            entity.identity = .attributes([name])
        }
    }

    private func addAssigned(to entity: inout EntitySketch, columns: RailsColumns) {
        let (local, remote) = (columns.free("localID"), columns.free("remoteID"))
        var other = MemberSketch(name: remote, type: .optional("int"))
        other.key = [self.columns[0]]
        entity.attributes += [.newKey(named: local), other]
        entity.identity = .local(local, remote: remote)
        columns.notes.decided(
            line,
            text: "\(entity.name): the database makes '\(self.columns[0])', "
                + "so the identity is '\(local)' on the device and '\(remote)' on the server")
    }

    /// Reports what the options of the table say of the column beside its type.
    private func reportOptions(_ entity: String, notes: ImportNotes) {
        var options = table.call.options.filter { ["default", "limit", "null"].contains($0.key) }
        if case .hash(let inner) = table.call.option("id") { options += inner.filter { $0.key != "type" } }
        let functions: Set = ["gen_random_uuid()", "uuid_generate_v4()", "uuidv7()", "uuid_generate_v7()"]
        for option in options {
            if case .lambda(let code) = option.value, functions.contains(code) { continue }
            notes.left(line, text: "\(entity): \(option.key): \(option.value.description) of the primary key")
        }
    }

    private func addOwn(_ type: String, to entity: inout EntitySketch, columns: RailsColumns) {
        guard let known = RailsType(type, limit: nil) else { return }
        let name = columns.name(of: self.columns[0])
        var key = known.name == "uuid" ? .newKey(named: name) : MemberSketch(name: name, type: .one(known.name))
        columns.addKey(self.columns[0], to: &key)
        entity.attributes.append(key)
        entity.identity = IdentitySketch([name])
        columns.notes.decided(
            line, text: "\(entity.name): its identity is '\(name)', which the device makes for a new record",
            help: "The controller must permit '\(self.columns[0])'. If the server makes it: "
                + "`identity: { local: …, remote: … }`.")
    }

    private func addColumns(to entity: inout EntitySketch, columns: RailsColumns) {
        let names = self.columns.map(columns.name)
        if self.columns.count == 1, let column = table.column(self.columns[0]),
            let attribute = columns.attribute(column, isKey: true)
        {
            entity.attributes.append(attribute)
        }
        entity.identity = IdentitySketch(names)
        columns.notes.decided(line, text: "\(entity.name): its identity is \(names.joined(separator: ", "))")
    }
}
