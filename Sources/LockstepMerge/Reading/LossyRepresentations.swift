import Foundation
import GRDB
public import LockstepStore

/// A list of representations that decodes element by element: a bad one is left out and told, and does not fail the
/// list (Rules.md, M12).
///
/// ```swift
/// let entries = try decoder.decode(LossyRepresentations<Entry>.self, from: body)
/// let summary = try await store.merge(entries)      // its skipped records are in the summary
/// ```
///
/// A record whose identity can be read counts as listed all the same: it is not deleted. A bad record nested in another
/// leaves out both, as a decoder makes no part of a value.
public struct LossyRepresentations<Object: Model>: Sendable {
    /// The elements in their order.
    let elements: [Element]

    enum Element: Sendable {
        case record(Object.Representation)
        /// With its identity, as the store keeps it, where that can be read.
        case skipped(SkippedRecord, identity: [DatabaseValue]?)
    }

    /// The records that could be decoded.
    public var representations: [Object.Representation] {
        elements.compactMap { if case .record(let value) = $0 { value } else { nil } }
    }

    /// The others, with their places in the list and why they could not be decoded.
    public var skipped: [SkippedRecord] {
        elements.compactMap { if case .skipped(let record, identity: _) = $0 { record } else { nil } }
    }
}

extension LossyRepresentations: Decodable {
    /// Decodes a list.
    ///
    /// - Throws: `DecodingError` where it is no list; never for an element.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var elements: [Element] = []
        elements.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            // Goes on to the next element whatever becomes of this one, which `decode` does not.
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
        return .skipped(record, identity: identity)
    }
}

/// What is wrong with a record, by the error that a decoder has thrown.
struct DecodingProblem {
    /// From the record on: `comments[2].title`.
    let keyPath: String
    let reason: String

    /// - Parameter depth: How many keys lead to the record.
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
            reason = "is of another type than the schema has"
        case DecodingError.dataCorrupted(let context):
            path = context.codingPath
            reason = Self.reason(in: context.debugDescription) ?? "is not what the schema asks for"
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

    /// What the store's own errors say behind the value's name; others may show the value.
    private static func reason(in text: String) -> String? {
        guard text.hasPrefix("The value of “"), text.hasSuffix("."), let end = text.range(of: "” ", options: .backwards)
        else { return nil }
        return String(text[end.upperBound...].dropLast())
    }
}
