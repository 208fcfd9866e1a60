import Foundation
import LockstepJSON
import LockstepTables

/// The information of a page of a list about changes, apart from the records themselves.
struct ChangesPage {
    let changes: RESTConventions.Changes
    let entity: RemoteEntity

    /// A page does not say what the conventions expect.
    struct Problem: Error {
        let reason: String
    }

    /// The records without those that are marked as deleted, and the identities of deleted ones.
    ///
    /// - Parameters:
    ///   - list: The list of records, as JSON.
    ///   - page: The body of the response.
    /// - Throws: ``Problem``; `JSONSyntaxError`.
    func separated(_ list: Data, of page: Data) throws -> (list: Data, deleted: [RemoteIdentity]) {
        switch changes.deletions {
        case .unlisted: return (list, [])
        case .listed(let path): return (list, try listed(at: path, in: page))
        case .marked(let path): return try marked(by: path, in: list)
        }
    }

    private func listed(at path: WirePath, in page: Data) throws -> [RemoteIdentity] {
        let value = JSONMembers.values(at: [path.keys], of: page)?.first ?? nil
        switch value {
        case nil, .null?: return []
        case .array(let elements)?: return try elements.map { try identity(of: $0, at: path) }
        default: throw Problem(reason: "“\(path.shown)” is not a list of deleted records")
        }
    }

    private func identity(of element: JSONValue, at path: WirePath) throws -> RemoteIdentity {
        let paths = entity.identityPaths
        let values: [JSONValue?] =
            if case .object = element { paths.map { element[path: $0] } } else { paths.count == 1 ? [element] : [] }
        return try identity(of: values, at: "an element of “\(path.shown)”")
    }

    private func identity(of values: [JSONValue?], at location: String) throws -> RemoteIdentity {
        let found = values.compactMap { $0 == .null ? nil : $0 }
        guard !found.isEmpty, found.count == entity.identityPaths.count else {
            throw Problem(reason: "\(location) does not have the identity of the deleted record")
        }
        return RemoteIdentity(found)
    }

    private func marked(by path: WirePath, in list: Data) throws -> (list: Data, deleted: [RemoteIdentity]) {
        guard let elements = try JSONLocation.elements(of: list) else { return (list, []) }
        let paths = [path.keys] + entity.identityPaths
        var deleted: [RemoteIdentity] = []
        var kept = Data("[".utf8)
        for range in elements {
            let element = list.bytes(in: range)
            let record = BodyWrapping.unwrapped(element, key: entity.wrapKey)
            let values = JSONMembers.values(at: paths, of: record) ?? []
            if (values.first ?? nil)?.isMark == true {
                deleted.append(try identity(of: Array(values.dropFirst()), at: "a record with “\(path.shown)”"))
            } else {
                if kept.count > 1 { kept.append(UInt8(ascii: ",")) }
                kept += element
            }
        }
        return deleted.isEmpty ? (list, []) : (kept + Data("]".utf8), deleted)
    }

    /// Whether a record that was requested by itself is marked as deleted.
    func isDeleted(_ record: Data) -> Bool {
        guard case .marked(let path) = changes.deletions else { return false }
        return (JSONMembers.values(at: [path.keys], of: record)?.first ?? nil)?.isMark == true
    }

    /// The token of the next list of changes; `nil` if the page has none.
    func token(at path: WirePath, in page: Data) throws -> String? {
        switch JSONMembers.values(at: [path.keys], of: page)?.first ?? nil {
        case nil, .null?: return nil
        case .string(let text)?: return text
        case .integer(let number)?: return String(number)
        default: throw Problem(reason: "the token under “\(path.shown)” is not a text or a number")
        }
    }

    /// The latest time in a list, in microseconds; `nil` if no record has one.
    func latestTime(at path: WirePath, format: DateFormat, in list: Data) throws -> Int64? {
        var latest: Int64?
        for (index, range) in (try JSONLocation.elements(of: list) ?? []).enumerated() {
            let record = BodyWrapping.unwrapped(list.bytes(in: range), key: entity.wrapKey)
            let value = JSONMembers.values(at: [path.keys], of: record)?.first ?? nil
            // A record that was never changed.
            if value == .null { continue }
            guard let date = value?.date(format) else {
                throw Problem(reason: "record \(index + 1) has no time under “\(path.shown)”")
            }
            let time = TimeWatermark.microseconds(of: date)
            latest = max(latest ?? time, time)
        }
        return latest
    }
}

extension JSONValue {
    /// Whether it marks a record as deleted.
    fileprivate var isMark: Bool {
        switch self {
        case .null, .bool(false), .integer(0), .string(""), .string("0"), .string("false"): false
        default: true
        }
    }

    fileprivate func date(_ format: DateFormat) -> Date? {
        switch self {
        case .string(let text): format.date(from: text)
        case .integer(let number): format.date(number: Decimal(number))
        case .decimal(let number): format.date(number: number)
        case .double(let number): format.date(number: Decimal(number))
        case .null, .bool, .array, .object: nil
        }
    }
}
