import Foundation
import GRDB
import LockstepStore
struct OutboxReader { init(_ plans: [EntityPlan], _ d: Database) {}
 func change(_ id: Int64) throws -> PendingChange? { nil }
 func hasLinkChanges(of key: RecordKey, in plan: EntityPlan, by join: JoinDescription) throws -> Bool { false } }
struct OutboxWriter { init(_ d: Database) {}
 func markSent(_ c: PendingChange, of: EntityPlan, idempotencyKey: String, body: Data, row: [DatabaseValue]?) throws {}
 func confirm(_ c: PendingChange, of: EntityPlan, sentRow: [DatabaseValue]?) throws {}
 func fail(_ c: PendingChange, error: String, retryAt: Date?) throws {}
 func park(_ c: PendingChange, of: EntityPlan, status: Int, body: Data) throws {}
 func forgetSent(_ c: [PendingChange]) throws {}
 func forget(_ key: RecordKey, of: EntityPlan) throws {}
 func touch(_ key: RecordKey, of: EntityPlan) throws -> Bool { true } }
struct Outbox { func pending() async throws -> [PendingChange] { [] } }
extension Store { var outbox: Outbox { Outbox() }
 func writeQuietly<V: Sendable>(_ o: String, _ b: @escaping @Sendable (Database, RawChanges) throws -> V) async throws -> V { try await writeRaw(o, b) }
 func applyServerDeletes(of plan: EntityPlan, _ ids: [RemoteIdentity]) async throws {} }
extension RecordKey { func outboxValue(_ d: Database) throws -> DatabaseValue { values[0] } }
