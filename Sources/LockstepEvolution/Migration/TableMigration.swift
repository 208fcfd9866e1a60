/// How much work a change of a table is. See the measurements in `Documentation/Evolution` of the benchmarks.
package enum MigrationWork: Int, Comparable, Sendable {
    /// Only the schema in the file changes. It takes milliseconds.
    case instant
    /// An index is made, or all rows are read.
    case scan
    /// A column of all rows is written.
    case shuffle
    /// The table is written again.
    case rebuild

    package static func < (left: MigrationWork, right: MigrationWork) -> Bool { left.rawValue < right.rawValue }
}

/// The statements that make a table of the new structure from one of the former.
package struct TableMigration: Sendable {
    /// The former name.
    package let former: String
    package let name: String
    /// The entity in the new structure; `nil` for a join table.
    package let entity: String?
    package fileprivate(set) var work: MigrationWork = .instant
    /// Statements that only change names. They are run for all tables first.
    package fileprivate(set) var renames: [String] = []
    /// The indexes in the file that are the schema's, by name; any other was made by the app.
    package fileprivate(set) var ownIndexes: Set<String> = []
    /// The indexes to be dropped then, by name.
    package fileprivate(set) var droppedIndexes: [String] = []
    /// The statements that change the table, in their order.
    package fileprivate(set) var steps: [Step] = []
    package fileprivate(set) var createdIndexes: [String] = []
    /// The indexes to be created, with the names that they have in a new store.
    fileprivate var newIndexes: [CreateIndex] = []
    /// The statements for the table with bases; they are run after ``steps``.
    package internal(set) var baseRenames: [String] = []
    package internal(set) var baseStatements: [String] = []
    /// Statements that give bases new UUIDs before their records get the same ones.
    package internal(set) var baseSeeds: [String] = []
    /// The names of dropped columns while the statements run, by their former names.
    package fileprivate(set) var droppedColumns: [String: String] = [:]

    /// A statement that changes the table.
    package enum Step: Sendable {
        /// Changes the definition of the table.
        case definition(String)
        /// Writes rows.
        case rows(String)

        package var sql: String {
            switch self {
            case .definition(let sql), .rows(let sql): sql
            }
        }
    }

    /// The SQL of ``steps``.
    package var statements: [String] { steps.map(\.sql) }
}

/// Plans the change of one table.
struct TablePlanner {
    let former: CreateTable
    let new: CreateTable
    let entity: String?
    /// The source of each new column, by name.
    let sources: [String: ValueSource]
    let formerIndexes: [CreateIndex]
    let newIndexes: [CreateIndex]
    let file: FileTables
    /// The new names of all tables and columns that are kept.
    let names: KeptNames

    private enum ColumnWork {
        case keep, rename, update, shuffle, add
    }

    func plan() -> TableMigration {
        var migration = TableMigration(former: former.name, name: new.name, entity: entity)
        planRenames(&migration)
        let works = Dictionary(new.columns.map { ($0.name, work(of: $0)) }, uniquingKeysWith: { first, _ in first })
        if needsRebuild(works) {
            rebuild(&migration)
        } else {
            change(&migration, works: works)
        }
        planIndexes(&migration, works: works)
        planBase(&migration)
        return migration
    }

    // MARK: Names

    private var dropped: [String] {
        let kept = Set(sources.values.compactMap(\.origin))
        return former.columns.map(\.name).filter { !kept.contains($0) }
    }

    private func planRenames(_ migration: inout TableMigration) {
        let columns = ColumnRenames(sources, columns: former.columns.map(\.name))
        migration.droppedColumns = columns.dropped
        migration.renames = columns.statements(in: new.name)
        migration.baseRenames = columns.statements(in: "lockstep_base_\(new.name)")
    }

    // MARK: Columns

    private func work(of column: ColumnDefinition) -> ColumnWork {
        guard let source = sources[column.name], let origin = source.origin, let old = former.column(origin) else {
            return .add
        }
        guard column.isStoredLike(old) else { return .shuffle }
        return source.expression == nil ? .keep : .update
    }

    private func needsRebuild(_ works: [String: ColumnWork]) -> Bool {
        let shuffled = works.filter { $0.value == .shuffle }.keys
        // The seconds for a million rows, of which a rebuild takes 21.
        let seconds =
            Double(shuffled.count) * 9.1 + Double(dropped.count) * 2.5
            + Double(works.values.count { $0 == .update }) * 2.7
        // An app's conversion reads the columns as they were.
        if sources.values.contains(where: \.needsRow) { return true }
        return shuffled.count > 1 || seconds > 21 || hasOtherKey || hasOtherConstraints
            || dropsConstraint(of: shuffled.map(\.self))
            || works.contains { $1 == .add && !canAdd($0) || $1 == .shuffle && !canShuffle($0) }
    }

    private var hasOtherKey: Bool {
        former.primaryKey.map { names.column($0, of: former.name) ?? $0 } != new.primaryKey
            || former.columns.filter { $0.key != .none }.map { names.column($0.name, of: former.name) }
                != new.columns.filter { $0.key != .none }.map { $0.name }
    }

    /// SQLite does not drop a column of a constraint, even if another column with its name follows.
    private var hasOtherConstraints: Bool {
        let columns = former.foreignKeys.flatMap(\.columns)
        if columns.contains(where: { names.column($0, of: former.name) == nil }) { return true }
        return Set(former.foreignKeys.map { names.renamed($0, of: former.name) }) != Set(new.foreignKeys)
    }

    /// SQLite cannot drop a column that is unique or a foreign key by the table's definition, nor make it other than
    /// unique.
    private func dropsConstraint(of shuffled: [String]) -> Bool {
        if !Set(new.foreignKeys.flatMap(\.columns)).isDisjoint(with: shuffled) { return true }
        let constraints = (file.indexes[former.name] ?? []).filter(\.isConstraint).flatMap(\.columns)
        return constraints.contains { column in
            guard let name = names.column(column, of: former.name) else { return dropped.contains(column) }
            return shuffled.contains(name) || !wantsUnique([name])
        }
    }

    private func wantsUnique(_ columns: [String]) -> Bool {
        columns.count == 1 && new.column(columns[0])?.isUnique == true
            || newIndexes.contains { $0.isUnique && $0.columns == columns }
    }

    /// Whether `ALTER TABLE` can add the column: existing rows need a constant value, and it must be allowed.
    private func canAdd(_ name: String) -> Bool {
        guard let column = new.column(name), let source = sources[name] else { return false }
        if let constant = source.constant { return constant.isPlain }
        // NULL satisfies every check. Any other value is written afterwards.
        return !column.isRequired || column.checks.isEmpty || source.allowed != nil
    }

    /// Whether existing rows can have a value meanwhile that the column's checks allow.
    private func canShuffle(_ name: String) -> Bool {
        guard let column = new.column(name) else { return false }
        return !column.isRequired || column.checks.isEmpty || column.defaultValue?.isPlain == true
            || sources[name]?.allowed != nil
    }

    // MARK: Changing in place

    private func change(_ migration: inout TableMigration, works: [String: ColumnWork]) {
        let table = quoted(new.name)
        for column in migration.droppedColumns.values.sorted() {
            migration.steps.append(.definition("ALTER TABLE \(table) DROP COLUMN \(quoted(column))"))
            migration.raise(to: .shuffle)
        }
        for column in new.columns {
            let name = quoted(column.name)
            let expression = rowExpression(column.name)
            switch works[column.name] ?? .keep {
            case .keep, .rename: break
            case .update:
                migration.steps.append(.rows("UPDATE \(table) SET \(name) = \(expression?(name) ?? name)"))
                migration.raise(to: .shuffle)
            case .shuffle:
                shuffle(column, migration: &migration)
            case .add:
                migration.steps.append(.definition("ALTER TABLE \(table) ADD COLUMN \(addition(column))"))
                if !column.checks.isEmpty { migration.raise(to: .scan) }
                guard let expression else { break }
                migration.steps.append(.rows("UPDATE \(table) SET \(name) = \(expression(name))"))
                migration.raise(to: .shuffle)
            }
        }
    }

    private func shuffle(_ column: ColumnDefinition, migration: inout TableMigration) {
        let (table, name, temporary) = (quoted(new.name), quoted(column.name), quoted("lockstep_new_\(column.name)"))
        var added = column
        added.name = "lockstep_new_\(column.name)"
        added.checks = column.checks.map { $0.renamed(to: added.name) }
        migration.steps += [
            .definition("ALTER TABLE \(table) ADD COLUMN \(addition(added, of: column.name))"),
            .rows("UPDATE \(table) SET \(temporary) = \(rowExpression(column.name)?(name) ?? name)"),
            .definition("ALTER TABLE \(table) DROP COLUMN \(name)"),
            .definition("ALTER TABLE \(table) RENAME COLUMN \(temporary) TO \(name)"),
        ]
        migration.raise(to: .shuffle)
    }

    /// A column definition for `ADD COLUMN`. A required one has a constant default, which a new table need not have.
    private func addition(_ column: ColumnDefinition, of name: String? = nil) -> String {
        var column = column
        column.isUnique = false
        let source = sources[name ?? column.name]
        if let constant = source?.constant {
            column.defaultValue = constant
        } else if column.isRequired, column.defaultValue?.isPlain != true {
            // Existing rows have it until they are written, and the checks see it.
            column.defaultValue = source?.allowed ?? column.type.zero
        } else if !column.isRequired {
            // Existing rows have no value, whatever new ones get.
            column.defaultValue = nil
        }
        var writer = SQLWriter(dialect: .sqlite)
        writer.column(column)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Rebuilding

    private func rebuild(_ migration: inout TableMigration) {
        var table = new
        table.name = "lockstep_new_\(new.name)"
        var writer = SQLWriter(dialect: .sqlite)
        writer.createTable(table)
        let columns = new.columns.map { quoted($0.name) }
        let values = new.columns.map { column in
            guard let source = sources[column.name] else { return "NULL" }
            if let constant = source.constant { return text(constant) }
            let name = quoted(column.name)
            if let expression = rowExpression(column.name) { return expression(name) }
            if source.origin != nil { return name }
            // A required link that nobody knows yet points at nothing, as in a column that is added.
            return column.isRequired ? text(column.type.zero) : "NULL"
        }
        migration.steps = [
            .definition(String(decoding: writer.bytes, as: UTF8.self)),
            .rows(
                """
                INSERT INTO \(quoted(table.name)) (\(columns.joined(separator: ", "))) \
                SELECT \(values.joined(separator: ", ")) FROM \(quoted(new.name))
                """),
            .definition("DROP TABLE \(quoted(new.name))"),
            .definition("ALTER TABLE \(quoted(table.name)) RENAME TO \(quoted(new.name))"),
        ]
        migration.raise(to: .rebuild)
    }

    // MARK: Indexes

    private func planIndexes(_ migration: inout TableMigration, works: [String: ColumnWork]) {
        let isRebuilt = migration.work == .rebuild
        let written = isRebuilt ? [] : works.filter { $0.value == .shuffle || $0.value == .update }.map(\.key)
        var existing: [(columns: [String], isUnique: Bool)] = []
        let own = ownIndexes
        migration.ownIndexes = Set(own.map(\.name))
        for index in file.indexes[former.name] ?? [] {
            if isRebuilt {
                if own.contains(index), !index.isConstraint { migration.droppedIndexes.append(index.name) }
                continue
            }
            let columns = index.columns.map { names.column($0, of: former.name) }
            let kept = columns.compactMap(\.self)
            let isWanted = columns.allSatisfy { $0 != nil } && isWanted(kept, isUnique: index.isUnique)
            let isWritten = kept.contains(where: written.contains)
            if index.isConstraint {
                existing.append((kept, true))
            } else if own.contains(index), !isWanted || isWritten {
                migration.droppedIndexes.append(index.name)
                migration.raise(to: .scan)
            } else if own.contains(index) {
                existing.append((kept, index.isUnique))
            }
        }
        for index in wantedIndexes(isRebuilt: isRebuilt)
        where !existing.contains(where: { $0.columns == index.columns && $0.isUnique == index.isUnique }) {
            migration.newIndexes.append(index)
            migration.raise(to: .scan)
        }
    }

    /// The indexes in the file that the former structure wants; others were made by the app.
    private var ownIndexes: Set<FileTables.FileIndex> {
        let unique = former.columns.filter(\.isUnique).map { [$0.name] }
        return Set(
            (file.indexes[former.name] ?? []).filter { index in
                index.name.hasPrefix("lockstep_unique_")
                    || formerIndexes.contains { $0.columns == index.columns && $0.isUnique == index.isUnique }
                    || index.isUnique && unique.contains(index.columns)
            })
    }

    private func isWanted(_ columns: [String], isUnique: Bool) -> Bool {
        newIndexes.contains { $0.columns == columns && $0.isUnique == isUnique }
            || isUnique && columns.count == 1 && new.column(columns[0])?.isUnique == true
    }

    /// In a table that was not made anew, an index makes a column unique.
    private func wantedIndexes(isRebuilt: Bool) -> [CreateIndex] {
        let unique = isRebuilt ? [] : new.columns.filter(\.isUnique)
        return newIndexes
            + unique.map { column in
                CreateIndex(
                    name: "lockstep_unique_\(new.name)_\(column.name)", table: new.name, columns: [column.name],
                    isUnique: true)
            }
    }

    func quoted(_ name: String) -> String { SQLWriter.quoted(name) }

    func text(_ literal: SQLLiteral) -> String {
        var writer = SQLWriter(dialect: .sqlite)
        writer.literal(literal)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension TableMigration {
    /// Whether anything is to be done.
    var isNeeded: Bool {
        !renames.isEmpty || !statements.isEmpty || !droppedIndexes.isEmpty || !newIndexes.isEmpty
            || !baseStatements.isEmpty || !baseRenames.isEmpty || former != name
    }

    /// Writes the indexes to be created, with names that are free.
    mutating func nameIndexes(_ names: inout RelationNames) {
        createdIndexes = newIndexes.map { index in
            var writer = SQLWriter(dialect: .sqlite)
            writer.statement(.createIndex(names.named(index)))
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    fileprivate mutating func raise(to work: MigrationWork) { self.work = max(self.work, work) }
}

extension SQLWriter {
    static func quoted(_ name: String) -> String {
        var writer = SQLWriter(dialect: .sqlite)
        writer.identifier(name)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension SQLLiteral {
    /// Whether SQLite accepts it as the default of an added column: an expression is no constant.
    var isPlain: Bool {
        if case .text(let text) = self { !text.utf8.contains(0) } else { true }
    }
}

extension SQLType {
    /// The value of existing rows until they are written.
    var zero: SQLLiteral {
        switch self {
        case .boolean, .smallInteger, .integer, .bigInteger: .integer(0)
        case .real, .double, .timestamp: .double(0)
        case .numeric: .decimal("0")
        case .day: .text("1970-01-01")
        case .uuid, .text, .json: .text("")
        case .bytes: .bytes([])
        }
    }
}
