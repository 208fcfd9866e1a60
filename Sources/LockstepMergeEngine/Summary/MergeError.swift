public import Foundation

/// The reason why a merge changed nothing: a code to switch on, the location in the payload, why it failed, and what to
/// do.
///
/// The texts are for developers. They identify records and never contain other values. Errors of the database itself,
/// such as a full disk, are thrown as `StoreError`.
public struct MergeError: Error, Sendable {
    /// The kind of the problem.
    public let code: Code
    /// The entity, by its name in the schema.
    public let entity: String?
    /// The index of the record in the payload's list, starting at 0.
    public let index: Int?
    /// The keys that lead from the record to the value: `comments[2].title`. Empty for the record itself.
    public let keyPath: String
    /// Why it failed.
    public let reason: String
    /// An instruction that solves the problem.
    public let remedy: String
    /// The underlying error: the error of a hook, or why the bytes are not JSON.
    public let underlyingError: (any Error)?

    /// The kinds of problems.
    public enum Code: Sendable, Hashable {
        /// The payload is not JSON, starting at the byte with this offset.
        case notJSON(offset: Int)
        /// The payload is JSON, but does not have the shape of ``MergeOptions/payload``.
        case wrongShape
        /// A record is invalid, and ``MergeOptions/invalidRecords`` is `.abort`.
        case invalidRecord
        /// The entity has no identity: its records can only be merged inside their owner.
        case noIdentity
        /// The entity is not in the store's schema.
        case otherSchema
        /// The bytes of the payload could not be read.
        case unreadablePayload
        /// The payload is larger than a limit.
        case tooLarge
        /// A hook or the function of a ``ConflictPolicy`` threw an error.
        case hook
        /// A ``ConflictPolicy`` cannot decide about the entity.
        case conflictPolicy
    }

    package init(
        _ code: Code, entity: String? = nil, index: Int? = nil, keyPath: String = "", reason: String, remedy: String,
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.entity = entity
        self.index = index
        self.keyPath = keyPath
        self.reason = reason
        self.remedy = remedy
        self.underlyingError = underlyingError
    }

    /// Creates the error for an invalid record, if the merge is to be aborted.
    package init(_ skipped: SkippedRecord) {
        self.init(
            .invalidRecord, entity: skipped.entity, index: skipped.index, keyPath: skipped.keyPath,
            reason: skipped.reason,
            remedy: "Fix the server's record, or set `invalidRecords` to `.skip` to merge the others.")
    }
}

extension MergeError: CustomStringConvertible {
    /// The location, the reason and the remedy: `merging (Stage, record 0, stages[0].capacity): is out of the range of
    /// 16 bits. Fix the server's record, …`
    public var description: String {
        var location = entity.map { [$0] } ?? []
        if let index { location.append("record \(index)") }
        if !keyPath.isEmpty { location.append(keyPath) }
        let subject = location.isEmpty ? "" : " (\(location.joined(separator: ", ")))"
        return "merging\(subject): \(reason). \(remedy) [\(code)]"
    }
}

extension MergeError: LocalizedError {
    /// The same as ``description``, so that it is included when `localizedDescription` is logged. It is for developers.
    @_spi(Requirements) public var errorDescription: String? { description }
}

extension MergeError.Code: CustomStringConvertible {
    /// The name of the code: `notJSON at byte 17`.
    @_spi(Requirements) public var description: String {
        switch self {
        case .notJSON(let offset): "notJSON at byte \(offset)"
        case .wrongShape: "wrongShape"
        case .invalidRecord: "invalidRecord"
        case .noIdentity: "noIdentity"
        case .otherSchema: "otherSchema"
        case .unreadablePayload: "unreadablePayload"
        case .tooLarge: "tooLarge"
        case .hook: "hook"
        case .conflictPolicy: "conflictPolicy"
        }
    }
}
