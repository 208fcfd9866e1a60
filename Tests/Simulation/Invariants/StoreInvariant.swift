import LockstepEvolution
package import LockstepStore

/// Something that holds after each transaction of a store, whatever wrote in it: what the outbox and the tables beside
/// it say of each other and of the records.
package struct StoreInvariant: Sendable {
    /// The rule that it follows from.
    let rule: String
    /// What holds.
    package let sentence: String
    /// Returns a text for whatever breaks it.
    let sql: String

    private static let outbox = OutboxTables.outbox

    /// The invariants of a store of a schema.
    package static func all(_ plans: SchemaPlan) -> [StoreInvariant] {
        ofRequests + ofLinks(plans) + ofMembers + ofConflicts + plans.filter(\.isTracked).flatMap(ofRecords)
    }

    // MARK: What was sent

    private static let ofRequests = [
        StoreInvariant(
            rule: "P1", sentence: "No transaction leaves the triggers switched off.",
            sql: "SELECT 'row ' || id FROM \(OutboxTables.quiet)"),
        StoreInvariant(
            rule: "P4", sentence: "What is kept of a request belongs to a pending change.",
            sql: """
                SELECT name || ' of change ' || change FROM (SELECT change, name FROM \(OutboxTables.former) \
                UNION ALL SELECT change, name FROM \(OutboxTables.unconfirmed)) \
                WHERE change NOT IN (SELECT id FROM \(outbox))
                """),
        StoreInvariant(
            rule: "P7.8", sentence: "A wait does not end before it begins.", sql: changes("waits_since > retry_at")),
        StoreInvariant(
            rule: "P8", sentence: "A parked change has no time of its next attempt.",
            sql: changes("parked_status IS NOT NULL AND retry_at IS NOT NULL")),
        StoreInvariant(
            rule: "P10.1", sentence: "Only a creation has an idempotency key, also if it was deleted since.",
            sql: changes("idempotency_key IS NOT NULL AND change = \(OutboxChange.update.rawValue)")),
        StoreInvariant(
            rule: "P10.1", sentence: "The body of a creation that was sent is kept with its key and its version.",
            sql: changes(
                "sent_body IS NOT NULL AND NOT (idempotency_key IS NOT NULL AND coalesce(sent_version <= version, 0))")
        ),
        StoreInvariant(
            rule: "P10.9", sentence: "A creation that the server has accepted keeps its key.",
            sql: changes("is_touched & \(OutboxMarks.accepted.rawValue) AND idempotency_key IS NULL")),
        StoreInvariant(
            rule: "P16", sentence: "The table of each name in the outbox is known.",
            sql: changes("entity NOT IN (SELECT entity FROM \(OutboxTables.entities))")),
    ]

    // MARK: Conflicts

    private static let ofConflicts = [
        StoreInvariant(
            rule: "C6.1", sentence: "What was lost in a conflict is a value of that side, and not one of the other.",
            sql: """
                SELECT entity || '.' || member || ' of ' || record FROM \(ConflictTable.name) \
                WHERE NOT sides & CASE lost WHEN 'local' THEN 2 ELSE 4 END OR sides & 6 = 6 AND local IS remote
                """)
    ]

    private static func changes(_ condition: String) -> String {
        "SELECT entity || ' ' || record FROM \(outbox) AS o WHERE \(condition)"
    }

    // MARK: Links

    private static func ofLinks(_ plans: SchemaPlan) -> [StoreInvariant] {
        let routes = OutboxLinkRoute.links(of: plans).filter { $0.isNoted && !$0.isOrderOnly }
        let names = routes.map { "(\(OutboxSQL.literal($0.owner.name)), \(OutboxSQL.literal($0.name)))" }
        let isKnown = names.isEmpty ? "0" : "(entity, join_table) IN (VALUES \(names.joined(separator: ", ")))"
        return [
            StoreInvariant(
                rule: "P1", sentence: "A pending link is one of the schema's.",
                sql: "SELECT \(link) FROM \(OutboxTables.links) AS l WHERE NOT \(isKnown)"),
            StoreInvariant(
                rule: "P1", sentence: "The record that sends a pending link is pending.",
                sql: """
                    SELECT \(link) FROM \(OutboxTables.links) AS l WHERE NOT EXISTS \
                    (SELECT 1 FROM \(outbox) AS o WHERE o.entity = l.entity AND o.record = l.source)
                    """),
        ] + routes.map(ofLink)
    }

    private static let link = "join_table || ': ' || source || ' to ' || destination"

    private static func ofLink(_ route: OutboxLinkRoute) -> StoreInvariant {
        let (table, ends) =
            switch route.storage {
            case .joinTable(let join): (join.table, [join.sourceColumns, join.destinationColumns])
            case .foreignKey(let columns, _):
                (
                    route.destination.table,
                    [columns, route.destination.keyColumns].map { $0.map { route.destination.columns[$0].name } }
                )
            }
        let keys = zip([route.owner, route.destination], ends).map { plan, names in
            plan.outboxRecordSQL(of: names.map { "t." + SQLName.quoted($0) })
        }
        return StoreInvariant(
            rule: "C2", sentence: "A link that was added exists, and one that was removed does not.",
            sql: """
                SELECT \(link) FROM \(OutboxTables.links) AS l WHERE join_table = \(OutboxSQL.literal(route.name)) \
                AND is_added <> EXISTS (SELECT 1 FROM \(SQLName.quoted(table)) AS t \
                WHERE \(keys[0]) = l.source AND \(keys[1]) = l.destination)
                """)
    }

    // MARK: Members that were sent

    private static let ofMembers = [
        StoreInvariant(
            rule: "R10.9", sentence: "Only a member that was deleted locally is kept with its identity.",
            sql: """
                SELECT entity || ' ' || record FROM \(SentMembers.table) \
                WHERE (state = \(SentMember.State.deleted.rawValue)) <> (remote IS NOT NULL)
                """)
    ]

    // MARK: Records

    private static func ofRecords(_ plan: EntityPlan) -> [StoreInvariant] {
        let (update, delete) = (OutboxChange.update.rawValue, OutboxChange.delete.rawValue)
        let base = SQLName.quoted(OutboxTables.base(of: plan))
        let isOwn = "entity = \(OutboxSQL.literal(plan.name))"
        let hasBase = "EXISTS (SELECT 1 FROM \(base) AS b WHERE \(plan.outboxRecordSQL("b")) = o.record)"
        let isThere = """
            EXISTS (SELECT 1 FROM \(SQLName.quoted(plan.table)) AS t WHERE \(plan.outboxRecordSQL("t")) = o.record)
            """
        return [
            StoreInvariant(
                rule: "P1", sentence: "A record is in the store unless its pending change is a delete.",
                sql: changes("\(isOwn) AND (change = \(delete)) = \(isThere)")),
            StoreInvariant(
                rule: "C2", sentence: "An update has a base.",
                sql: changes("\(isOwn) AND change = \(update) AND NOT \(hasBase)")),
            StoreInvariant(
                rule: "C2", sentence: "A creation that was sent has a base, with what was sent.",
                sql: changes("\(isOwn) AND idempotency_key IS NOT NULL AND NOT \(hasBase)")),
            StoreInvariant(
                rule: "C2", sentence: "A base belongs to a pending change.",
                sql: """
                    SELECT \(OutboxSQL.literal(plan.name + " ")) || \(plan.outboxRecordSQL("b")) FROM \(base) AS b \
                    WHERE NOT EXISTS (SELECT 1 FROM \(outbox) AS o \
                    WHERE o.\(isOwn) AND o.record = \(plan.outboxRecordSQL("b")))
                    """),
        ]
    }
}
