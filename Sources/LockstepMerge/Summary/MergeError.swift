public import Foundation

/// Why a merge changed nothing: a code to switch on, where in the payload, why, and what to do.
///
/// The texts are for developers. They name records by their identity and never show other values. What the database
/// itself refuses (a full disk) is thrown as `StoreError`.
public struct MergeError: Error, Sendable {
    /// What kind of problem it is.
    public let code: Code
    /// The entity, by its name in the schema.
    public let entity: String?
    /// The place of the record in the payload's list, from 0.
    public let index: Int?
    /// The keys that lead from the record to the value: `comments[2].title`. Empty where it is the record itself.
    public let keyPath: String
    /// Why it failed.
    public let reason: String
    /// What to do about it.
    public let remedy: String
    /// What lies under it: what a hook threw, or why the bytes are no JSON.
    public let underlyingError: (any Error)?

    /// The kinds of problems.
    public enum Code: Sendable, Hashable {
        /// The payload is not JSON, from the byte at this offset on.
        case notJSON(offset: Int)
        /// The payload is JSON, but not as ``MergeOptions/payload`` says.
        case wrongShape
        /// A record is invalid, and ``MergeOptions/invalidRecords`` is `.abort`.
        case invalidRecord
        /// The entity has no identity: its records can only be merged inside their owner.
        case noIdentity
        /// The entity is not of the store's schema.
        case otherSchema
        /// The bytes of the payload could not be had.
        case unreadablePayload
        /// The payload is larger than a limit.
        case tooLarge
        /// A hook threw, or the function of a ``ConflictPolicy``.
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

    /// A record that is invalid, where the merge is to be aborted.
    package init(_ skipped: SkippedRecord) {
        self.init(
            .invalidRecord, entity: skipped.entity, index: skipped.index, keyPath: skipped.keyPath,
            reason: skipped.reason,
            remedy: "Fix the server's record, or set `invalidRecords` to `.skip` to merge the others.")
    }
}

extension MergeError: CustomStringConvertible {
    /// Where, why, and what to do:
    /// `merging (Stage, record 0, stages[0].capacity): is out of the range of 16 bits. Fix the server's record, …`
    public var description: String {
        var place = entity.map { [$0] } ?? []
        if let index { place.append("record \(index)") }
        if !keyPath.isEmpty { place.append(keyPath) }
        let subject = place.isEmpty ? "" : " (\(place.joined(separator: ", ")))"
        return "merging\(subject): \(reason). \(remedy) [\(code)]"
    }
}

extension MergeError: LocalizedError {
    /// The same as ``description``, so that whoever logs `localizedDescription` sees it. It is for developers.
    public var errorDescription: String? { description }
}

extension MergeError.Code: CustomStringConvertible {
    /// The name of the code: `notJSON at byte 17`.
    public var description: String {
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
