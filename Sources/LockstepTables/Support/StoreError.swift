public import Foundation

/// An error of a store: a code to switch on, what was being done, to which record, why it failed, and what to do.
///
/// The texts are for developers. They name records by identity and never contain other values.
public struct StoreError: Error, Sendable {
    /// The kind of error.
    public let code: Code
    /// The operation that failed: `inserting`, `opening the store`.
    public let operation: String
    /// The name of the entity in the schema.
    public let entity: String?
    /// The record's identity; for a store, its location.
    public let record: String?
    /// The name of the attribute or relationship in the schema.
    public let attribute: String?
    /// Why it failed.
    public let reason: String
    /// An instruction that solves the problem.
    public let remedy: String
    /// The error of SQLite, or of a model's own rule.
    public let underlyingError: (any Error)?

    /// The kinds of errors.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        // Opening
        case cannotOpen, notADatabase, damaged, notAStore, otherSchema, newerVersion, olderVersion, otherTables
        case otherAccount
        // Migrating
        case migrationNeeded, migrationFailed, superseded, unsuitableLeftover
        // Values
        case missingValue, limit, validation, duplicateIdentity, notUnique, unreadableValue
        // Records and links
        case wrongIdentity, recordGone, conflict, deleteDenied, missingReference, otherContext, closedContext
        case wrongColumns
        // Queries
        case moreThanOne, overflow, wrongCursor, notAQuery
        // The disk and others
        case notDownloaded, notSaved
        case busy, readOnly, diskFull, inputOutput, interrupted, closed, database
    }

    package init(
        _ code: Code, doing operation: String, entity: String? = nil, record: String? = nil, attribute: String? = nil,
        reason: String, remedy: String, underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.operation = operation
        self.entity = entity
        self.record = record
        self.attribute = attribute
        self.reason = reason
        self.remedy = remedy
        self.underlyingError = underlyingError
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        var subject = entity ?? ""
        if let attribute { subject += subject.isEmpty ? attribute : ".\(attribute)" }
        if let record { subject += subject.isEmpty ? "“\(record)”" : " “\(record)”" }
        let context = subject.isEmpty ? "" : " (\(subject))"
        return "\(operation)\(context): \(reason). \(remedy) [\(code.rawValue)]"
    }
}

extension StoreError: LocalizedError {
    /// The same as ``description``, so that it appears if `localizedDescription` is logged. It is for developers.
    @_spi(Requirements) public var errorDescription: String? { description }
}
