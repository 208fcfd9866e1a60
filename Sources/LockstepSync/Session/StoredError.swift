import Foundation
import GRDB
import LockstepStore

/// The stored parts of an error, so that it can be reported after a relaunch.
struct StoredError: Sendable, Hashable, Codable {
    private let code: String
    private let status: Int?
    private let request: String?
    let entity: String?
    let record: String?
    let reason: String

    static let remedy = "It is retried automatically; `store.outbox.pending()` lists what waits, and why."

    init(_ error: SyncError) {
        (code, status) = Self.stored(error.code)
        (request, entity, record, reason) = (error.request, error.entity, error.record, error.reason)
    }

    init?(_ text: String) {
        guard let stored = try? JSONDecoder().decode(StoredError.self, from: Data(text.utf8)) else { return nil }
        self = stored
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts can always be encoded as JSON.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    var error: SyncError {
        SyncError(
            errorCode, request: request, entity: entity, record: record, reason: reason, remedy: Self.remedy)
    }

    /// The errors after which a change is retried.
    private static func stored(_ code: SyncError.Code) -> (String, Int?) {
        switch code {
        case .unavailable(let status): ("unavailable", status)
        case .unexpectedResponse(let status): ("unexpectedAnswer", status)
        case .refused(let status): ("refused", status)
        case .timeout: ("timeout", nil)
        case .malformed: ("malformed", nil)
        case .insecureAddress: ("insecureAddress", nil)
        default: ("network", nil)
        }
    }

    private var errorCode: SyncError.Code {
        switch (code, status) {
        case ("unavailable", let status?): .unavailable(status: status)
        case ("unexpectedAnswer", let status?): .unexpectedResponse(status: status)
        case ("refused", let status?): .refused(status: status)
        case ("timeout", _): .timeout
        case ("malformed", _): .malformed
        case ("insecureAddress", _): .insecureAddress
        default: .network
        }
    }
}

/// Why changes wait to be retried, each for itself: the last errors, so that they can be reported after a relaunch. The
/// outbox has their text only.
enum StoredFailures {
    private struct Failure: Codable {
        let change: Int64
        let error: StoredError
    }

    private static let key = SyncMetadata.failures
    /// The errors that are kept. One of them is reported at a time.
    private static let limit = 32

    static func keep(_ error: SyncError, of changes: [Int64], in database: Database) throws {
        guard let change = changes.first else { return }
        var failures = try read(database).filter { $0.change != change }
        failures.append(Failure(change: change, error: StoredError(error)))
        let text = try JSONEncoder().encode(Array(failures.suffix(limit)))
        try MetadataTable.set(key, to: String(decoding: text, as: UTF8.self), in: database)
    }

    /// Why a change waits. A number may have been assigned to another change since; then the text is another one.
    static func error(of change: PendingChange, in database: Database) throws -> SyncError {
        let known = try read(database).last {
            $0.change == change.id && $0.error.reason == change.lastError
        }
        return known?.error.error
            ?? SyncError(
                .network, entity: change.entity, record: change.record,
                reason: change.lastError ?? "the change could not be sent", remedy: StoredError.remedy)
    }

    private static func read(_ database: Database) throws -> [Failure] {
        guard let text = try MetadataTable.value(key, in: database) else { return [] }
        return (try? JSONDecoder().decode([Failure].self, from: Data(text.utf8))) ?? []
    }
}
