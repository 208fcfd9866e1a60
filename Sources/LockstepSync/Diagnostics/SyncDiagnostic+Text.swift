package import Foundation
import LockstepStore

extension SyncDiagnostic: CustomStringConvertible {
    /// The time and the event, without tokens or values of records: `09:00:01.250 update Entry 6f1b…: done in 0.120 s`.
    public var description: String { "\(Self.time(date)) \(text)" }

    /// The event without its time, and without tokens or values of records.
    public var text: String {
        switch event {
        case .request(let exchange): text(exchange)
        case .retry(let entity, let record, let date, let error):
            "\(subject(entity, for: record)): \(error.disclosable), next attempt at \(Self.time(date))"
        case .merge(let note):
            "\(subject(note.entity, for: note.record)): \(note.disclosable)"
        case .skipped(let record):
            "\(subject(record.entity, for: record.identity)) skipped: "
                + (record.keyPath.isEmpty ? record.reason : "\(record.keyPath) \(record.reason)")
        case .parked(let change):
            "\(subject(change.entity, for: change.record)) \(change.kind) parked: "
                + (change.parked.map { $0.status == 0 ? "it cannot be sent" : "\($0.status)" } ?? "")
        }
    }

    private func text(_ exchange: SyncExchange) -> String {
        let file = exchange.record.map { identities.text($0, of: nil) } ?? ""
        let name = exchange.entity == nil ? file : subject(exchange.entity, for: exchange.record)
        let seconds = String(format: "%.3f s", exchange.seconds)
        return "\(exchange.operation) \(name): \(exchange.outcome.text) in \(seconds)"
    }

    /// A record by an identity that is no value.
    private func subject(_ entity: String?, for record: String?) -> String {
        guard let entity else { return "the push" }
        return record.map { "\(entity) \(identities.text($0, of: entity))" } ?? entity
    }

    /// The time of the day in UTC, with milliseconds.
    package static func time(_ date: Date) -> String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
        let seconds = milliseconds / 1000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = String(1000 + milliseconds % 1000).dropFirst()
        return "\(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(rest)"
    }
}

extension SyncExchange.Outcome {
    fileprivate var text: String {
        switch self {
        case .success: "done"
        case .notModified: "not modified"
        case .absent: "not found"
        case .rejected(let status): status.map { "rejected (\($0))" } ?? "rejected"
        case .failure(let error): error.disclosable
        }
    }
}

extension SyncError {
    /// Its kind, without texts of the server or addresses, which may contain values.
    package var disclosable: String {
        switch code {
        case .network: "no connection"
        case .timeout: "no response in time"
        case .unavailable(let status): "the server is unavailable (\(status))"
        case .unexpectedResponse(let status): "the response is not the API's (\(status))"
        case .unauthorized: "not authorized (401)"
        case .updateNeeded: "the server requires a newer version of the app (426)"
        case .refused(let status): "rejected (\(status))"
        case .notFound: "not found"
        case .malformed: "the response cannot be read"
        case .insecureAddress: "the address is not secure"
        case .invalidIdentity: "the identity cannot be part of an address"
        case .unsupported: "not supported"
        case .nothingToSend: "nothing to send"
        case .pendingChanges(let count): "\(count) local changes are pending"
        case .signedOut: "signed out"
        case .store: "the store cannot be read or written"
        }
    }
}

extension MergeNote {
    /// Its kind, with its text if that contains no identity.
    fileprivate var disclosable: String {
        switch code {
        case .conflict, .incompletePayload, .unreadRelationship: "\(text) [\(code.rawValue)]"
        default: code.rawValue
        }
    }
}
