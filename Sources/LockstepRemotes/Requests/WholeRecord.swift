public import Foundation
import LockstepEvolution
import LockstepTables

/// The current state of a record on a server.
public struct CurrentRecord: Sendable, Hashable {
    /// The whole record as unwrapped JSON.
    public var body: Data
    /// Its version, such as an `ETag`; `nil` if the server does not send one.
    public var version: String?

    public init(body: Data, version: String? = nil) {
        self.body = body
        self.version = version
    }
}

extension OutgoingChange {
    /// Sends an update to a server that accepts whole records only, and keeps what the schema does not know: members
    /// that a newer app, another client or the server itself has added.
    ///
    /// It reads the record, applies the changed members (``applied(to:)``), and writes it back on condition that it is
    /// unchanged. If it was written by another client in the meantime, it begins again; a change that was made to a
    /// version (``version``) returns `outdated` instead, so that the sync merges first (rule C4).
    ///
    /// ```swift
    /// case .update:
    ///     return try await change.writeWhole {
    ///         try await current(change)
    ///     } write: { record, version in
    ///         try await put(record, change, ifMatch: version)
    ///     }
    /// ```
    ///
    /// - Parameters:
    ///   - attempts: How often it writes if others write the same record in the meantime.
    ///   - read: Reads the record; returns `nil` if the server has none.
    ///   - write: Replaces a version by a whole record, and returns the server's result: `outdated` if it has another
    ///     version.
    /// - Returns: The result; `absent` if there is no such record.
    /// - Throws: Errors of `read` and `write`; ``/LockstepHTTP/SyncError`` with the code `malformed` if the record is
    ///   not a JSON object.
    public func writeWhole(
        attempts: Int = 4, read: () async throws -> CurrentRecord?,
        write: (_ record: Data, _ version: String?) async throws -> SendResponse
    ) async throws -> SendResponse {
        guard var current = try await read() else { return .absent }
        if let version, let now = current.version, now != version {
            return .outdated(current: current.body, version: now)
        }
        for attempt in 1... {
            let response = try await write(applied(to: current.body), current.version)
            guard case .outdated(let body, let now) = response, version == nil, attempt < max(attempts, 1) else {
                return response
            }
            if let body, !body.isEmpty, let now {
                current = CurrentRecord(body: body, version: now)
            } else if let read = try await read() {
                current = read
            } else {
                return .absent
            }
        }
        preconditionFailure("the last attempt returns")
    }

    /// Returns a record of the server with the changed members applied, and everything else unchanged.
    ///
    /// Objects that contain attributes (`key: [image, url]`) keep their other members, and so do embedded records,
    /// which are found by their identity or, without one, by all values that were sent. An embedded record that is not
    /// sent is removed, since the list belongs to the owner. For a new record there is nothing to keep: ``body`` is
    /// complete.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError`` with the code `malformed` if the record is not a JSON object.
    public func applied(to record: Data) throws -> Data {
        guard let current = try? JSONValue(json: record), case .object = current else {
            throw SyncError(
                .malformed, entity: entity.name, record: identity?.text,
                reason: "the server's record is not a JSON object",
                remedy: "Pass the server's record without a wrapper.")
        }
        guard !changes.isEmpty else { return record }
        return try current.patched(with: JSONValue(json: changes), of: entity.plan).json()
    }
}

extension JSONValue {
    /// The record with some of its members changed. What the schema does not know is kept, in embedded records too.
    func patched(with changes: JSONValue, of plan: EntityPlan) -> JSONValue {
        var current = self
        // What the server has in the other form is not true anymore.
        for wire in plan.relationships.map(\.wire)
        where wire.sentPaths.contains(where: { changes.value(at: $0) != nil }) {
            if let other = wire.otherPath, !wire.isMixed { current.remove(at: other) }
        }
        return current.patched(
            with: changes.keepingUnknownMembers(of: self, plan: plan), inner: RemoteEntity(plan).innerPaths)
    }

    /// A record, or its changed members, with the members of embedded records that the schema does not know.
    ///
    /// - Parameter current: The record as the server has it.
    package func keepingUnknownMembers(of current: JSONValue, plan: EntityPlan) -> JSONValue {
        var record = self
        for relationship in plan.relationships {
            guard case .embedded(let path, _) = relationship.wire, let old = current.value(at: path),
                let new = value(at: path)
            else { continue }
            record.set(new.keepingUnknown(of: old, plan: relationship.destination), at: path)
        }
        return record
    }

    /// Embedded records as they were sent, with the unknown members of the existing ones.
    private func keepingUnknown(of old: JSONValue, plan: EntityPlan) -> JSONValue {
        switch (self, old) {
        case (.array(let new), .array(let old)):
            var rest = old
            let known = new.map { member in
                rest.firstIndex { $0.isRecord(member, of: plan) }.map { rest.remove(at: $0) }
            }
            return .array(
                zip(new, known).map { member, known in
                    let known = known ?? rest.firstIndex { $0.contains(member) }.map { rest.remove(at: $0) }
                    return known?.replaced(by: member, of: plan) ?? member
                })
        case (.object, .object):
            // The existing one, unless it has another identity.
            let isOther = old.identity(plan) != nil && identity(plan) != old.identity(plan)
            return isOther ? self : old.replaced(by: self, of: plan)
        default: return self
        }
    }

    /// An embedded record as it was sent, complete, with its unknown members.
    private func replaced(by member: JSONValue, of plan: EntityPlan) -> JSONValue {
        var record = patched(with: member, of: plan)
        for path in plan.wirePaths where member.value(at: path) == nil { record.remove(at: path) }
        return record
    }

    private func isRecord(_ other: JSONValue, of plan: EntityPlan) -> Bool {
        identity(plan).map { $0 == other.identity(plan) } ?? false
    }

    /// The identity as texts, with UUIDs in one case; `nil` if there is none.
    private func identity(_ plan: EntityPlan) -> [ExactText]? {
        let paths = RemoteEntity(plan).identityPaths
        let values = paths.compactMap { value(at: $0) }.filter { $0 != .null }
        guard !paths.isEmpty, values.count == paths.count else { return nil }
        return RemoteIdentity(values).foldedTexts
    }

    /// Whether an object contains all members of another one; missing members count as null.
    private func contains(_ other: JSONValue) -> Bool {
        guard case .object(let own) = self, case .object(let others) = other else { return self == other }
        return others.allSatisfy { key, value in
            guard let mine = own[key] else { return value == .null }
            if case .array(let list) = mine, case .array(let other) = value {
                return list.count == other.count && zip(list, other).allSatisfy { $0.contains($1) }
            }
            return mine.contains(value)
        }
    }
}

extension EntityPlan {
    /// The paths in a record's JSON that are sent.
    fileprivate var wirePaths: [[String]] {
        columns.compactMap(\.wire).filter { !$0.isReadOnly }.map(\.path)
            + relationships.flatMap { $0.wire.sentPaths + [$0.wire.otherPath].compactMap(\.self) }
    }
}

extension RelationshipWire {
    /// The paths in a record's JSON that are sent.
    fileprivate var sentPaths: [[String]] {
        if case .id(let paths, _) = self { paths } else { [ownPath].compactMap(\.self) }
    }
}
