import Foundation
import GRDB
import LockstepJSON
public import LockstepStore

/// A list of representations that decodes element by element: an invalid one is skipped and reported, and does not fail
/// the list (Rules.md, M12).
///
/// ```swift
/// let entries = try decoder.decode(LossyRepresentations<Entry>.self, from: body)
/// let summary = try await store.merge(entries)      // its skipped records are in the summary
/// ```
///
/// A record that cannot be decoded keeps its JSON, which the merge reads as it reads any other payload: what is nested
/// in the record counts as listed, and if only a nested record is invalid, the record and the others in it are merged.
public struct LossyRepresentations<Object: Model>: Sendable {
    /// The elements, in order.
    let elements: [Element]

    enum Element: Sendable {
        case record(Object.Representation)
        /// With its JSON.
        case invalid(SkippedRecord, JSONValue)
        /// With its stored identity, if that could be read. A decoder of another format than JSON may not provide more.
        case skipped(SkippedRecord, identity: [DatabaseValue]?)
    }

    /// The records that could be decoded, with everything nested in them.
    public var representations: [Object.Representation] {
        elements.compactMap { if case .record(let value) = $0 { value } else { nil } }
    }

    /// The other records, with their indexes in the list and why they could not be decoded. The path leads to a nested
    /// record if only that is invalid; then a merge skips no more than the nested record.
    public var skipped: [SkippedRecord] {
        elements.compactMap { element in
            switch element {
            case .record: nil
            case .invalid(let record, _), .skipped(let record, identity: _): record
            }
        }
    }
}

extension LossyRepresentations: Decodable {
    /// Decodes a list.
    ///
    /// - Throws: `DecodingError` if it is not a list; never because of an element.
    @_spi(Requirements) public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var elements: [Element] = []
        elements.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            // Unlike `decode`, this moves to the next element even if decoding this one fails.
            let element = try list.superDecoder()
            do { elements.append(.record(try Object.Representation(from: element))) } catch {
                elements.append(Self.skipped(element, at: elements.count, for: error))
            }
        }
        self.elements = elements
    }

    private static func skipped(_ decoder: any Decoder, at index: Int, for error: any Error) -> Element {
        let plan = Object.entity.plan
        let identity = plan.wireIdentity(from: decoder)
        let problem = DecodingProblem(error, below: decoder.codingPath.count)
        let record = SkippedRecord(
            index: index, keyPath: problem.keyPath, entity: plan.name,
            identity: identity.map { RecordKey($0).text }, reason: problem.reason)
        if let json = try? JSONValue(from: decoder) { return .invalid(record, json) }
        return .skipped(record, identity: identity)
    }
}

/// The problem of a record, from the error of a decoder.
struct DecodingProblem {
    /// The path from the record: `comments[2].title`.
    let keyPath: String
    let reason: String

    /// - Parameter depth: The number of keys that lead to the record.
    init(_ error: any Error, below depth: Int) {
        var path: [any CodingKey] = []
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            path = context.codingPath + [key]
            reason = "is required; it is missing or null"
        case DecodingError.valueNotFound(_, let context):
            path = context.codingPath
            reason = "is required; it is null"
        case DecodingError.typeMismatch(_, let context):
            path = context.codingPath
            reason = "does not have the type of the schema"
        case DecodingError.dataCorrupted(let context):
            path = context.codingPath
            reason = Self.reason(in: context.debugDescription) ?? "is not valid by the schema"
        default: reason = "cannot be decoded"
        }
        keyPath = Self.text(path.dropFirst(depth))
    }

    private static func text(_ path: some Sequence<any CodingKey>) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue { return text += "[\(index)]" }
            text += (text.isEmpty ? "" : ".") + key.stringValue
        }
    }

    /// The part of the store's own errors after the value's name. Other errors may contain the value.
    private static func reason(in text: String) -> String? {
        guard text.hasPrefix("The value of “"), text.hasSuffix("."), let end = text.range(of: "” ", options: .backwards)
        else { return nil }
        return String(text[end.upperBound...].dropLast())
    }
}
