import Foundation
import LockstepStore

/// Merges payloads by the rules of Rules.md: the records at the top one after the other, as if each came alone (M16).
///
/// It knows nothing of the engine: records come as nodes that say what they mean, and go into dictionaries.
struct ReferenceMerger {
    private(set) var store: ReferenceStore
    /// What attributes have whose default is the time.
    let now: DatabaseValue
    /// What stands for a UUID that the device made.
    static let madeIdentity: DatabaseValue = "made here".databaseValue

    /// A record of a payload.
    struct Listed: Hashable {
        let entity: String
        let key: ServerKey
    }

    struct Outcome {
        var inserted: Set<Listed> = []
        var updated: Set<Listed> = []
        var unchanged: Set<Listed> = []
        var deleted: Set<Listed> = []
        var skippedCount = 0
    }

    /// What a list or an embedded record says of links.
    private struct Directive {
        /// Of the records in one at the top, the place of the owner: the lists of one that begins later count more.
        let visit: Int
        let owner: Listed
        let relationship: RelationshipDescription
        let members: [ServerKey]
        /// Members that were skipped: they are listed, and neither linked nor let go.
        let skipped: Set<ServerKey>
        /// Whether every member can be told. Else nobody is let go: it might be the one.
        var isWhole = true
        /// The members, where they have no identity.
        var scraps: [ReferenceStore.Row]?
    }

    /// A to-one that a record says itself.
    private struct Told {
        let record: Listed
        let relationship: RelationshipDescription
        let target: ServerKey?
    }

    /// The lists of the record at the top that is being merged, and how many records are in it so far.
    private var directives: [Directive] = []
    private var visitCount = 0
    /// The to-ones that it says itself, with what they point at.
    private var told: [Told] = []
    private var listed: Set<Listed> = []
    /// What was made of it, and the records in it that cannot be made of what it says.
    private var visited: Set<Listed> = []
    private var incomplete: Set<Listed> = []
    /// Records that something valid was said of.
    private var merged: Set<Listed> = []
    private var skipped: Set<Listed> = []
    /// Records that an owner no longer lists.
    private var letGo: Set<Listed> = []
    /// Those of them that are deleted in the end.
    private var doomed: [Listed] = []
    /// Relationships of records whose members the payload has told.
    private var toldLists: Set<ServerList> = []
    /// Whatever lists had.
    private var members: Set<Listed> = []
    private var outcome = Outcome()

    /// The list of a record.
    private struct ServerList: Hashable {
        let owner: Listed
        let relationship: String
    }

    init(_ plans: [EntityPlan], now: DatabaseValue) {
        store = ReferenceStore(plans)
        self.now = now
    }

    mutating func merge(_ records: [PayloadObject], into entity: String) -> Outcome {
        let before = store
        forgetAll()
        guard let plan = store.plans[entity] else { return outcome }
        for record in records { noteListed(record, plan) }
        for record in records { merge(record, plan) }
        for record in doomed { delete(record) }
        count(before)
        return outcome
    }

    /// Merges a record at the top with all that is nested in it. A new record is what its copies in it say together;
    /// one that they leave incomplete is skipped with what is nested in them, which may leave others incomplete.
    private mutating func merge(_ record: PayloadObject, _ plan: EntityPlan) {
        let before = self
        var incomplete: Set<Listed> = []
        while true {
            (directives, told, visited, self.incomplete) = ([], [], [], incomplete)
            _ = visit(record, plan, nil)
            for directive in settled() { follow(directive) }
            settleWaiting()
            let found = visited.filter { !store.isComplete($0.key, $0.entity) }
            if found.isEmpty { return }
            incomplete.formUnion(found)
            self = before
        }
    }

    private mutating func forgetAll() {
        (listed, merged, skipped, letGo, members) = ([], [], [], [], [])
        (doomed, toldLists, outcome) = ([], [], Outcome())
    }

    /// The lists in their order; of a many to many, where an owner is there several times, its last one only (M3).
    private func settled() -> [Directive] {
        let ordered = directives.enumerated().sorted { ($0.element.visit, $0.offset) < ($1.element.visit, $1.offset) }
            .map(\.element)
        return ordered.enumerated().filter { index, directive in
            guard case .manyToMany = directive.relationship.kind else { return true }
            return !ordered[(index + 1)...].contains {
                $0.owner == directive.owner && $0.relationship.name == directive.relationship.name
            }
        }.map(\.element)
    }

    // MARK: Records

    private enum Visit {
        case merged(ServerKey)
        /// With its identity, where that can be read.
        case skipped(ServerKey?)
    }

    /// The record that a record is embedded in, and the to-one that points at it.
    private struct Owner {
        let key: ServerKey
        let toOne: RelationshipDescription
    }

    private mutating func visit(_ object: PayloadObject, _ plan: EntityPlan, _ owner: Owner?) -> Visit {
        guard let key = identity(object, plan) else {
            outcome.skippedCount += 1
            return .skipped(nil)
        }
        let record = Listed(entity: plan.name, key: key)
        visitCount += 1
        let visit = visitCount
        guard !incomplete.contains(record), let row = row(object, plan, store.rows[plan.name]?[key], key, owner)
        else {
            // Of a record that comes twice, one is counted (M3).
            if skipped.insert(record).inserted { outcome.skippedCount += 1 }
            return .skipped(key)
        }
        merged.insert(record)
        visited.insert(record)
        store.rows[plan.name, default: [:]][key] = row
        // In the order of the text: that is the one in which records begin.
        let told = plan.relationships.map { ($0, object.place(of: Self.path($0))) }.filter { !$0.1.isEmpty }
        for (relationship, _) in told.sorted(by: { $0.1.lexicographicallyPrecedes($1.1) }) {
            read(relationship, of: record, visit, object)
        }
        return .merged(key)
    }

    /// Where the members of a relationship are, or the record that it points at.
    private static func path(_ relationship: RelationshipDescription) -> [String] {
        switch relationship.wire {
        case .embedded(let path), .ids(let path): path.keys
        case .id(_, embedded: let path): path?.keys ?? []
        case .none: []
        }
    }

    /// Notes what the payload has. What a skipped record has in it is not merged, and yet it is listed.
    private mutating func noteListed(_ object: PayloadObject, _ plan: EntityPlan) {
        if let key = identity(object, plan) { listed.insert(Listed(entity: plan.name, key: key)) }
        for relationship in plan.relationships {
            let path = Self.path(relationship)
            let node = path.isEmpty ? nil : object[path]
            let nodes = if case .list(let nodes)? = node { nodes } else { node.map { [$0] } ?? [] }
            for case .object(let nested) in nodes { noteListed(nested, relationship.target) }
        }
    }

    /// The identity; `nil` where a part is missing, null or wrong (M4).
    private func identity(_ object: PayloadObject, _ plan: EntityPlan) -> ServerKey? {
        let parts = plan.wireColumns.map { column -> DatabaseValue? in
            guard let path = plan.columns[column].wire?.path, case .value(_, let value) = object[path] else {
                return nil
            }
            return value
        }
        return parts.contains { $0 == nil } ? nil : parts.compactMap { $0 }
    }

    /// The row that a record makes of the one that is there; `nil` where it is invalid (M12). A new one may lack what
    /// is required.
    private mutating func row(
        _ object: PayloadObject, _ plan: EntityPlan, _ known: ReferenceStore.Row?, _ key: ServerKey, _ owner: Owner?
    ) -> ReferenceStore.Row? {
        var row = known ?? ReferenceStore.Row()
        for (place, column) in plan.columns.enumerated() {
            guard case .attribute = column.content else { continue }
            if let part = plan.wireColumns.firstIndex(of: place) {
                row.values[place] = key[part]
                continue
            }
            let node = column.wire.flatMap { object[$0.path] }
            guard let value = value(node, column, row.values[place], isNew: known == nil) else { return nil }
            row.values[place] = value
        }
        for relationship in plan.relationships {
            let record = Listed(entity: plan.name, key: key)
            guard point(&row, record, relationship, object, owner, isNew: known == nil) else { return nil }
        }
        return row
    }

    /// What a column has after a record said this of it; `nil` where that cannot be (M1, M12).
    private func value(
        _ node: PayloadNode?, _ column: ColumnDescription, _ known: DatabaseValue?, isNew: Bool
    ) -> DatabaseValue? {
        switch node {
        case .value(_, let value): return value
        case nil:
            if !isNew { return known ?? .null }
            return defaultValue(column) ?? .null
        case .null where column.isOptional: return .null
        case .null:
            let isVolatile = column.defaultValue == .now || column.defaultValue == .newUUID
            if isVolatile, !isNew { return known }
            return defaultValue(column)
        case .invalid, .list, .object: return nil
        }
    }

    private func defaultValue(_ column: ColumnDescription) -> DatabaseValue? {
        switch column.defaultValue {
        case nil: nil
        case .now: now
        case .newUUID: Self.madeIdentity
        case .string(let text), .decimal(let text), .uuid(let text), .url(let text), .json(let text): text.databaseValue
        case .bool(let value): value.databaseValue
        case .integer(let value): value.databaseValue
        case .double(let value), .date(let value): value.databaseValue
        case .data(let bytes): Data(bytes).databaseValue
        case .list(let elements):
            StoredJSON.text(
                of: .array(
                    elements.map { element in
                        switch element {
                        case .integer(let value): .integer(value)
                        case .string(let value): .string(value)
                        default: .null
                        }
                    })
            ).databaseValue
        }
    }

    /// To-ones that the record itself has the key of (R1), and the one to its owner.
    private mutating func point(
        _ row: inout ReferenceStore.Row, _ record: Listed, _ relationship: RelationshipDescription,
        _ object: PayloadObject, _ owner: Owner?, isNew: Bool
    ) -> Bool {
        guard let foreignKey = ReferenceStore.foreignKey(relationship) else { return true }
        if isNew {
            for column in foreignKey.columns { row.values[column] = .null }
            if let position = foreignKey.position { row.values[position] = .null }
        }
        if let owner, owner.toOne.name == relationship.name {
            for (part, column) in foreignKey.columns.enumerated() { row.values[column] = owner.key[part] }
            return true
        }
        // A place counts for one owner.
        let former = foreignKey.columns.map { row.values[$0] }
        defer {
            if foreignKey.columns.map({ row.values[$0] }) != former, let position = foreignKey.position {
                row.values[position] = .null
            }
        }
        guard case .id(let paths, embedded: let embedded) = relationship.wire else { return true }
        let nodes = paths.map { object[$0.keys] }
        let parts = nodes.compactMap { node -> DatabaseValue? in
            if case .value(_, let value) = node { value } else { nil }
        }
        // Half of a key points at nobody.
        var key = parts.count == paths.count ? parts : nil
        let whole = embedded.flatMap { object[$0.keys] }
        if nodes.allSatisfy({ $0 == nil }), whole == nil { return true }
        // Only the whole record may be there (R4).
        if key == nil, case .object(let whole) = whole {
            guard let identity = identity(whole, relationship.target) else { return true }
            key = identity
        }
        if key == nil, foreignKey.isRequired { return false }
        for (part, column) in foreignKey.columns.enumerated() { row.values[column] = key.map { $0[part] } ?? .null }
        told.append(Told(record: record, relationship: relationship, target: key))
        return true
    }

    // MARK: What is nested

    private mutating func read(
        _ relationship: RelationshipDescription, of record: Listed, _ visit: Int, _ object: PayloadObject
    ) {
        switch relationship.wire {
        case .none: break
        case .id(_, embedded: let embedded):
            if let embedded, case .object(let whole)? = object[embedded.keys] {
                _ = self.visit(whole, relationship.target, nil)
            }
        case .ids(let path):
            guard case .list(let nodes)? = object[path.keys] else { return }
            let members = nodes.compactMap { node -> ServerKey? in
                if case .value(_, let value) = node { [value] } else { nil }
            }
            directives.append(
                Directive(visit: visit, owner: record, relationship: relationship, members: members, skipped: []))
        case .embedded(let path):
            guard let node = object[path.keys] else { return }
            let objects: [PayloadObject] =
                switch node {
                case .list(let nodes): nodes.compactMap { if case .object(let object) = $0 { object } else { nil } }
                case .object(let object): [object]
                default: []
                }
            readEmbedded(objects, relationship, of: record, visit)
        }
    }

    private mutating func readEmbedded(
        _ objects: [PayloadObject], _ relationship: RelationshipDescription, of record: Listed, _ place: Int
    ) {
        if relationship.target.isWithoutIdentity { return readScraps(objects, relationship, of: record, place) }
        let inverse = relationship.inverseDescription
        var owner: Owner?
        switch relationship.kind {
        case .toOneInverse, .toMany: owner = inverse.map { Owner(key: record.key, toOne: $0) }
        case .toOne, .manyToMany: break
        }
        var members: [ServerKey] = []
        var skipped: Set<ServerKey> = []
        var isUnreadable = false
        for object in objects {
            switch visit(object, relationship.target, owner) {
            case .merged(let key): if !members.contains(key) { members.append(key) }
            case .skipped(let key?): skipped.insert(key)
            case .skipped(nil): isUnreadable = true
            }
        }
        // A to-one points at a record that is skipped as at one that is yet to come (R2).
        if case .toOne = relationship.kind, let key = skipped.first { members = [key] }
        // A record that cannot be read leaves a to-one as it is.
        if !relationship.isToMany, members.isEmpty, isUnreadable || !skipped.isEmpty { return }
        directives.append(
            Directive(
                visit: place, owner: record, relationship: relationship, members: members, skipped: skipped,
                isWhole: !isUnreadable))
    }

    private mutating func readScraps(
        _ objects: [PayloadObject], _ relationship: RelationshipDescription, of owner: Listed, _ visit: Int
    ) {
        let plan = relationship.target
        guard let inverse = relationship.inverseDescription else { return }
        var scraps: [ReferenceStore.Row] = []
        for object in objects {
            guard let row = row(object, plan, nil, [], Owner(key: owner.key, toOne: inverse)),
                ReferenceStore.isComplete(row, plan)
            else {
                outcome.skippedCount += 1
                continue
            }
            scraps.append(row)
        }
        directives.append(
            Directive(visit: visit, owner: owner, relationship: relationship, members: [], skipped: [], scraps: scraps))
    }

    /// What has no identity belongs to its owner and is replaced with it (R6).
    private mutating func replaceScraps(_ scraps: [ReferenceStore.Row], _ directive: Directive) {
        let entity = directive.relationship.target.name
        guard let inverse = directive.relationship.inverseDescription,
            let columns = ReferenceStore.foreignKey(inverse)?.columns
        else { return }
        store.scraps[entity]?.removeAll { scrap in
            columns.enumerated().allSatisfy { scrap.values[$0.element] == directive.owner.key[$0.offset] }
        }
        store.scraps[entity, default: []] += scraps
    }

    // MARK: Links

    private mutating func follow(_ directive: Directive) {
        let (owner, relationship) = (directive.owner, directive.relationship)
        if let scraps = directive.scraps { return replaceScraps(scraps, directive) }
        toldLists.insert(ServerList(owner: owner, relationship: relationship.name))
        if relationship.inverse != nil {
            members.formUnion(directive.members.map { Listed(entity: relationship.target.name, key: $0) })
        }
        switch relationship.kind {
        case .toOne:
            store.point(owner.key, owner.entity, relationship, at: directive.members.first)
            told.append(Told(record: owner, relationship: relationship, target: directive.members.first))
        case .toOneInverse, .toMany:
            take(directive)
            letGo(directive)
        case .manyToMany(let join):
            let old = store.links[join.table] ?? [:]
            var links = old.filter {
                $0.key.source != owner.key || directive.skipped.contains($0.key.destination) || !directive.isWhole
            }
            for (place, member) in directive.members.enumerated() {
                let link = ReferenceStore.Link(source: owner.key, destination: member)
                if case .some(.none) = links[link] as Int??, join.position == nil { continue }
                links[link] = .some(join.position == nil ? nil : place)
            }
            store.links[join.table] = links
        }
    }

    /// Lets the members of a list point at the owner; those that are not here yet wait (R3).
    private mutating func take(_ directive: Directive) {
        guard let inverse = directive.relationship.inverseDescription else { return }
        let entity = directive.relationship.target.name
        let place = ServerState.Place(entity: entity, relationship: inverse.name)
        let owner = directive.owner.key
        store.waiting[place] = store.waiting[place]?.filter { $0.value.owner != owner }
        for (position, member) in directive.members.enumerated() {
            if store.rows[entity]?[member] != nil {
                store.point(member, entity, inverse, at: owner, position: position)
                store.waiting[place]?[member] = nil
            } else {
                store.waiting[place, default: [:]][member] = ReferenceStore.Waiting(owner: owner, position: position)
            }
        }
    }

    /// Children that a list no longer has (R3, R5), and the one that another took the place of (R4).
    private mutating func letGo(_ directive: Directive) {
        let (relationship, target) = (directive.relationship, directive.relationship.target)
        guard let inverse = relationship.inverseDescription, directive.isWhole else { return }
        for child in store.children(of: directive.owner.key, target.name, inverse) {
            guard !directive.members.contains(child), !directive.skipped.contains(child) else { continue }
            let record = Listed(entity: target.name, key: child)
            letGo.insert(record)
            if relationship.onDelete == .cascade, !relationship.wire.isIDs, !listed.contains(record) {
                doomed.append(record)
            } else if ReferenceStore.foreignKey(inverse)?.isRequired == false {
                store.point(child, target.name, inverse, at: nil)
            }
        }
    }

    private mutating func settleWaiting() {
        for (place, children) in store.waiting {
            guard let toOne = store.plans[place.entity]?.relationships.first(where: { $0.name == place.relationship })
            else {
                continue
            }
            for (child, waiting) in children where store.rows[place.entity]?[child] != nil {
                // A record that says itself whose it is knows better than a list that came before it.
                let own = told.last {
                    $0.record == Listed(entity: place.entity, key: child) && $0.relationship.name == toOne.name
                }
                if own == nil || own?.target == waiting.owner {
                    store.point(child, place.entity, toOne, at: waiting.owner, position: waiting.position)
                }
                store.waiting[place]?[child] = nil
            }
        }
    }

    // MARK: Deleting

    /// Deletes a record. What the payload says of links to it stays said: they wait for it to come back (M16).
    private mutating func delete(_ record: Listed) {
        guard let plan = store.plans[record.entity] else { return }
        let (listed, toldLists) = (listed, toldLists)
        let gone = store.delete(record.key, plan) { entity, key in
            listed.contains(Listed(entity: entity.name, key: key))
        } isTold: { entity, key, relationship in
            toldLists.contains(ServerList(owner: Listed(entity: entity.name, key: key), relationship: relationship))
        }
        for gone in gone { outcome.deleted.insert(Listed(entity: gone.entity, key: gone.key)) }
    }

    // MARK: Counting

    private mutating func count(_ before: ReferenceStore) {
        // Members of a list are changed by it, whether they are in the payload themselves or not.
        for record in listed.union(letGo).union(members) {
            let (old, new) = (before.rows[record.entity]?[record.key], store.rows[record.entity]?[record.key])
            switch (old, new) {
            case (nil, nil): break
            case (nil, _): outcome.inserted.insert(record)
            case (_, nil): break
            default:
                let isSame = old == new && !linksDiffer(record, before)
                if isSame, merged.contains(record) { outcome.unchanged.insert(record) }
                if !isSame { outcome.updated.insert(record) }
            }
        }
    }

    /// An owner whose many to many or whose scraps changed counts as updated.
    private func linksDiffer(_ record: Listed, _ before: ReferenceStore) -> Bool {
        (store.plans[record.entity]?.relationships ?? []).contains { relationship in
            guard case .manyToMany(let join) = relationship.kind,
                toldLists.contains(ServerList(owner: record, relationship: relationship.name))
            else { return false }
            let old = (before.links[join.table] ?? [:]).filter { $0.key.source == record.key }
            let new = (store.links[join.table] ?? [:]).filter { $0.key.source == record.key }
            return old != new
        }
    }
}
