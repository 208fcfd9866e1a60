import Foundation
import LockstepStore

/// Merges payloads by the rules of Rules.md, one record after the other.
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
        let owner: Listed
        let relationship: RelationshipDescription
        let members: [ServerKey]
        /// Members that were skipped: they are listed, and neither linked nor let go.
        let skipped: Set<ServerKey>
        /// Whether every member can be told. Else nobody is let go: it might be the one.
        var isWhole = true
    }

    /// A to-one that a record says itself.
    private struct Told {
        let record: Listed
        let relationship: RelationshipDescription
        let target: ServerKey?
    }

    private var directives: [Directive] = []
    private var listed: Set<Listed> = []
    /// To-ones that the payload says itself, with what they point at.
    private var told: [Told] = []
    /// Records that something valid was said of.
    private var merged: Set<Listed> = []
    private var skipped: Set<Listed> = []
    /// Records that an owner no longer lists.
    private var letGo: Set<Listed> = []
    private var outcome = Outcome()

    init(_ plans: [EntityPlan], now: DatabaseValue) {
        store = ReferenceStore(plans)
        self.now = now
    }

    mutating func merge(_ records: [PayloadObject], into entity: String) -> Outcome {
        let before = store
        directives = []
        told = []
        listed = []
        merged = []
        letGo = []
        skipped = []
        outcome = Outcome()
        guard let plan = store.plans[entity] else { return outcome }
        for record in records { _ = visit(record, plan, nil) }
        directives = lastDirectives()
        directives.forEach { follow($0) }
        settleWaiting()
        directives.forEach { letGo($0) }
        if !outcome.deleted.isEmpty { tellAgain() }
        count(before)
        return outcome
    }

    /// Where an owner came several times, its last list counts (M3).
    private func lastDirectives() -> [Directive] {
        directives.enumerated().filter { index, directive in
            !directives[(index + 1)...].contains {
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
            noteListed(object, plan)
            return .skipped(nil)
        }
        let record = Listed(entity: plan.name, key: key)
        listed.insert(record)
        guard let row = row(object, plan, store.rows[plan.name]?[key], key, owner) else {
            // Of a record that comes twice, one is counted (M3).
            if skipped.insert(record).inserted { outcome.skippedCount += 1 }
            noteListed(object, plan)
            return .skipped(key)
        }
        merged.insert(record)
        store.rows[plan.name, default: [:]][key] = row
        for relationship in plan.relationships where relationship.wire != .none {
            read(relationship, of: record, object)
        }
        return .merged(key)
    }

    /// What a skipped record has in it is not merged, and yet it is listed.
    private mutating func noteListed(_ object: PayloadObject, _ plan: EntityPlan) {
        if let key = identity(object, plan) { listed.insert(Listed(entity: plan.name, key: key)) }
        for relationship in plan.relationships {
            let node: PayloadNode? =
                switch relationship.wire {
                case .embedded(let path): object[path.keys]
                case .id(_, embedded: let path?): object[path.keys]
                default: nil
                }
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

    /// The row that a record makes of the one that is there; `nil` where it is invalid (M12).
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
            return defaultValue(column) ?? (column.isOptional ? .null : nil)
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
            JSONText.text(
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
        guard case .id(let paths, embedded: let embedded) = relationship.wire else {
            return !isNew || !foreignKey.isRequired || relationship.wire != .none
        }
        let nodes = paths.map { object[$0.keys] }
        var key: ServerKey?
        if !nodes.contains(where: { $0 != nil }) {
            // Only the whole record may be there (R4).
            guard let embedded, let node = object[embedded.keys] else { return !isNew || !foreignKey.isRequired }
            if case .object(let whole) = node {
                guard let identity = identity(whole, relationship.target) else {
                    return !isNew || !foreignKey.isRequired
                }
                key = identity
            }
        } else {
            let parts = nodes.compactMap { node -> DatabaseValue? in
                if case .value(_, let value) = node { value } else { nil }
            }
            key = parts.count == paths.count ? parts : nil
            if nodes.contains(where: { $0 == nil }) {
                // A part of a key; the others are kept.
                for (column, node) in zip(foreignKey.columns, nodes) {
                    if case .value(_, let value)? = node { row.values[column] = value }
                    if case .null? = node { row.values[column] = .null }
                }
                return true
            }
        }
        if key == nil, foreignKey.isRequired { return false }
        for (part, column) in foreignKey.columns.enumerated() { row.values[column] = key.map { $0[part] } ?? .null }
        told.append(Told(record: record, relationship: relationship, target: key))
        return true
    }

    // MARK: What is nested

    private mutating func read(_ relationship: RelationshipDescription, of record: Listed, _ object: PayloadObject) {
        switch relationship.wire {
        case .none: break
        case .id(_, embedded: let embedded):
            if let embedded, case .object(let whole)? = object[embedded.keys] {
                _ = visit(whole, relationship.target, nil)
            }
        case .ids(let path):
            guard case .list(let nodes)? = object[path.keys] else { return }
            let members = nodes.compactMap { node -> ServerKey? in
                if case .value(_, let value) = node { [value] } else { nil }
            }
            directives.append(Directive(owner: record, relationship: relationship, members: members, skipped: []))
        case .embedded(let path):
            guard let node = object[path.keys] else { return }
            let objects: [PayloadObject] =
                switch node {
                case .list(let nodes): nodes.compactMap { if case .object(let object) = $0 { object } else { nil } }
                case .object(let object): [object]
                default: []
                }
            readEmbedded(objects, relationship, of: record)
        }
    }

    private mutating func readEmbedded(
        _ objects: [PayloadObject], _ relationship: RelationshipDescription, of record: Listed
    ) {
        if relationship.target.isWithoutIdentity { return replaceScraps(objects, relationship, of: record.key) }
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
                owner: record, relationship: relationship, members: members, skipped: skipped, isWhole: !isUnreadable))
    }

    /// What has no identity belongs to its owner and is replaced with it (R6).
    private mutating func replaceScraps(
        _ objects: [PayloadObject], _ relationship: RelationshipDescription, of owner: ServerKey
    ) {
        let plan = relationship.target
        guard let inverse = relationship.inverseDescription, let columns = ReferenceStore.foreignKey(inverse)?.columns
        else { return }
        store.scraps[plan.name]?.removeAll { scrap in
            columns.enumerated().allSatisfy { scrap.values[$0.element] == owner[$0.offset] }
        }
        for object in objects {
            guard let row = row(object, plan, nil, [], Owner(key: owner, toOne: inverse)) else {
                outcome.skippedCount += 1
                continue
            }
            store.scraps[plan.name, default: []].append(row)
        }
    }

    // MARK: Links

    private mutating func follow(_ directive: Directive) {
        let (owner, relationship) = (directive.owner, directive.relationship)
        switch relationship.kind {
        case .toOne: store.point(owner.key, owner.entity, relationship, at: directive.members.first)
        case .toOneInverse, .toMany: take(directive)
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
        // At most one can be at the other end.
        guard !directive.relationship.wire.isIDs else { return unlinkOthers(directive, inverse) }
    }

    /// A list of identities only links and unlinks (R3).
    private mutating func unlinkOthers(_ directive: Directive, _ inverse: RelationshipDescription) {
        let entity = directive.relationship.target.name
        for child in store.children(of: directive.owner.key, entity, inverse) where !directive.members.contains(child) {
            letGo.insert(Listed(entity: entity, key: child))
            store.point(child, entity, inverse, at: nil)
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
                let own = told.last { $0.record.key == child && $0.relationship.name == toOne.name }
                if own == nil || own?.target == waiting.owner {
                    store.point(child, place.entity, toOne, at: waiting.owner, position: waiting.position)
                }
                store.waiting[place]?[child] = nil
            }
        }
    }

    /// Children that an embedded list no longer has (R5), and the one that another took the place of (R4).
    private mutating func letGo(_ directive: Directive) {
        let relationship = directive.relationship
        guard let inverse = relationship.inverseDescription, !relationship.wire.isIDs, directive.isWhole else { return }
        switch relationship.kind {
        case .toOne, .manyToMany: return
        case .toMany, .toOneInverse: break
        }
        let target = relationship.target
        for child in store.children(of: directive.owner.key, target.name, inverse) {
            guard !directive.members.contains(child), !directive.skipped.contains(child) else { continue }
            let isListed = listed.contains(Listed(entity: target.name, key: child))
            letGo.insert(Listed(entity: target.name, key: child))
            if relationship.onDelete == .cascade, !isListed {
                let gone = store.delete(child, target) { [listed] in listed.contains(Listed(entity: $0.name, key: $1)) }
                for gone in gone { outcome.deleted.insert(Listed(entity: gone.entity, key: gone.key)) }
            } else if ReferenceStore.foreignKey(inverse)?.isRequired == false {
                store.point(child, target.name, inverse, at: nil)
            }
        }
    }

    /// What was deleted took links with it that the payload has: they stay, as those to records that are yet to come.
    private mutating func tellAgain() {
        for told in told {
            guard let target = told.target else { continue }
            let (child, entity) = (told.record.key, told.record.entity)
            if !store.children(of: target, entity, told.relationship).contains(child) {
                store.point(child, entity, told.relationship, at: target)
            }
        }
        for directive in directives {
            if case .manyToMany = directive.relationship.kind { follow(directive) }
        }
    }

    // MARK: Counting

    private mutating func count(_ before: ReferenceStore) {
        // Members of a list are changed by it, whether they are in the payload themselves or not.
        var touched = listed.union(letGo)
        for directive in directives where directive.relationship.inverse != nil {
            touched.formUnion(directive.members.map { Listed(entity: directive.relationship.target.name, key: $0) })
        }
        for record in touched {
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
            guard relationship.wire != .none, case .manyToMany(let join) = relationship.kind else { return false }
            let old = (before.links[join.table] ?? [:]).filter { $0.key.source == record.key }
            let new = (store.links[join.table] ?? [:]).filter { $0.key.source == record.key }
            return old != new
        }
    }
}
