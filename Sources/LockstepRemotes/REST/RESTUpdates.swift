import Foundation
public import HTTPTypes
import LockstepEvolution
import LockstepTables

extension RESTConventions {
    /// How an existing record is written.
    ///
    /// ```swift
    /// conventions.writes.updates = .mergePatch  // PATCH, application/merge-patch+json
    /// conventions.writes.updates = Updates(.put, sending: .knownMembers)
    /// ```
    public struct Updates: Sendable, Hashable {
        /// The method of the request.
        package var method: HTTPRequest.Method
        /// The members of the record that are sent.
        package var members: Members
        /// The media type of the body; `nil` for ``RESTConventions/mediaType``.
        package var mediaType: String?

        /// - Parameters:
        ///   - method: The method of the request.
        ///   - members: What is sent of the record.
        ///   - mediaType: The media type of the body; `nil` for ``RESTConventions/mediaType``.
        public init(_ method: HTTPRequest.Method, sending members: Members, mediaType: String? = nil) {
            self.method = method
            self.members = members
            self.mediaType = mediaType
        }

        /// `PATCH` with the changed members. Other changes made in the meantime are kept.
        public static let changedMembers = Updates(.patch, sending: .changedMembers)
        /// `PUT` with the whole record. It is read first, so that members which the schema does not know are kept, and
        /// written on condition that it is unchanged if the server sends an `ETag`. This takes two requests for one
        /// change.
        public static let wholeRecord = Updates(.put, sending: .wholeRecord)
        /// `PATCH` with the changed members as a JSON Merge Patch (RFC 7396).
        ///
        /// A merge patch changes the members of objects one by one, and cannot replace an object. If the value of a
        /// changed attribute is an object, the record is read first, and what the new value lacks is sent as `null`. A
        /// member of such a value that is `null` itself is removed by the server.
        public static let mergePatch = Updates(.patch, sending: .changedMembers, mediaType: Self.mergePatchType)

        /// The members of a record that are sent.
        public enum Members: Sendable, Hashable {
            /// The members that were changed.
            case changedMembers
            /// All members that the schema knows. The record is not read first: use this only if the server keeps
            /// members that are not sent, or has no others.
            case knownMembers
            /// The whole record. It is read first, so that members which the schema does not know are kept.
            case wholeRecord
        }

        static let mergePatchType = "application/merge-patch+json"

        private var isMergePatch: Bool { mediaType?.hasPrefix(Self.mergePatchType) == true }

        /// Whether the record must be read before a change is sent.
        func readsFirst(_ change: OutgoingChange) -> Bool {
            switch members {
            case .wholeRecord: true
            case .changedMembers: isMergePatch && change.replacesObject(in: change.changes)
            case .knownMembers: isMergePatch && change.replacesObject(in: change.body)
            }
        }

        /// Returns the body if the record was not read.
        func body(of change: OutgoingChange) -> Data { members == .changedMembers ? change.changes : change.body }

        /// Returns the body if the record was read.
        ///
        /// - Parameters:
        ///   - whole: The record with the changed members.
        ///   - current: The record as the server has it.
        func body(of change: OutgoingChange, whole: Data, over current: Data) throws -> Data {
            let body = members == .wholeRecord ? whole : body(of: change)
            guard isMergePatch else { return body }
            return try JSONValue(json: body).mergePatch(over: JSONValue(json: current), of: change.entity.plan).json()
        }
    }
}

extension OutgoingChange {
    /// Whether members that are sent contain an object that is one value, not the place of several.
    fileprivate func replacesObject(in members: Data) -> Bool {
        guard let members = try? JSONValue(json: members) else { return false }
        return members.replacesObject(entity.plan)
    }
}

extension JSONValue {
    fileprivate func replacesObject(_ plan: EntityPlan) -> Bool {
        plan.objectPaths.contains { path in
            if case .object? = value(at: path) { true } else { false }
        }
            || plan.embeddedToOnes.contains { path, plan in
                value(at: path)?.replacesObject(plan) ?? false
            }
    }

    /// The members as a merge patch (RFC 7396): what an object lacks that replaces another one is `null`.
    fileprivate func mergePatch(over current: JSONValue, of plan: EntityPlan) -> JSONValue {
        var patch = self
        for path in plan.objectPaths {
            guard let new = value(at: path), let old = current.value(at: path) else { continue }
            patch.set(new.removingMembers(of: old), at: path)
        }
        for (path, plan) in plan.embeddedToOnes {
            guard let new = value(at: path), let old = current.value(at: path) else { continue }
            patch.set(new.mergePatch(over: old, of: plan), at: path)
        }
        return patch
    }

    /// An object with `null` for each member that only the other object has.
    private func removingMembers(of old: JSONValue) -> JSONValue {
        guard case .object(let new) = self, case .object(let old) = old else { return self }
        let replaced = old.map { key, value in (key, new[key]?.removingMembers(of: value) ?? .null) }
        return .object(new.merging(JSONObject(replaced)) { $1 })
    }
}

extension EntityPlan {
    /// The paths of attributes, each of which is one value.
    fileprivate var objectPaths: [[String]] { columns.compactMap(\.wire?.path) }

    /// The paths of embedded records, with their entities.
    fileprivate var embeddedToOnes: [([String], EntityPlan)] {
        relationships.compactMap { relationship in
            guard case .embedded(let path, _) = relationship.wire else { return nil }
            return (path, relationship.destination)
        }
    }
}
