import Foundation
import LockstepTables

/// An event of a Firebase database's stream: a name, and what has changed where.
enum FirebaseEvent: Sendable, Hashable {
    /// These paths have these values now; `null` stands for a deleted value. The path of the whole collection has no
    /// keys.
    case changes([Change])
    /// The whole collection, as JSON.
    case snapshot(Data)
    /// Nothing has changed: the connection is alive.
    case keepAlive
    /// The security rules do not allow reading any more.
    case cancelled
    /// The token is no longer valid.
    case revoked

    struct Change: Sendable, Hashable {
        var path: [String]
        var value: JSONValue
    }

    /// Parses an event. `nil` for an unknown name, since the server may support others in the future.
    ///
    /// - Throws: `JSONSyntaxError`, or ``Malformed`` if the data is not `{"path": …, "data": …}`.
    init?(name: String, data: Data) throws {
        switch name {
        case "put", "patch":
            let (path, json) = try Self.parts(of: data)
            self =
                name == "put" && path.isEmpty ? .snapshot(json) : .changes(try Self.changes(name, at: path, json: json))
        case "keep-alive": self = .keepAlive
        case "cancel": self = .cancelled
        case "auth_revoked": self = .revoked
        default: return nil
        }
    }

    struct Malformed: Error, CustomStringConvertible {
        var description: String { "the event does not have a path and data" }
    }

    private static func changes(_ name: String, at path: [String], json: Data) throws -> [Change] {
        let value = try JSONValue(json: json)
        guard name == "patch" else { return [Change(path: path, value: value)] }
        guard case .object(let members) = value else { throw Malformed() }
        // Several paths may be patched at once, in which case the keys are paths, too.
        return members.sortedMembers.map { key, value in
            Change(path: path + keys(of: key), value: value)
        }
    }

    private static func keys(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

    /// The path, and the bytes of the data. A snapshot may be large, and is only parsed when it is merged.
    private static func parts(of data: Data) throws -> (path: [String], json: Data) {
        try data.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { bytes in
                var scanner = JSONScanner(bytes)
                var path: String?
                var json: Data?
                guard scanner.peek() == UInt8(ascii: "{") else { throw Malformed() }
                try scanner.open(UInt8(ascii: "{"))
                var isFirst = true
                while try !scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) {
                    isFirst = false
                    let key = try scanner.key().string
                    switch (key, scanner.peek()) {
                    case ("path", UInt8(ascii: "\"")): path = try scanner.text().string
                    case ("data", _):
                        let start = scanner.cursor
                        try scanner.skipValue()
                        json = Data(UnsafeBufferPointer(start: start, count: scanner.cursor - start))
                    default: try scanner.skipValue()
                    }
                }
                try scanner.finish()
                guard let path, let json else { throw Malformed() }
                return (keys(of: path), json)
            }
        }
    }
}

/// The effects of changes on a collection.
struct FirebaseNews: Sendable, Hashable {
    /// New states of complete records.
    var changed: JSONObject = [:]
    /// New values of members of records.
    var patched: JSONObject = [:]
    /// Deleted records.
    var deleted: [String] = []
    /// Records with a changed or deleted value at a deeper level, which must be read again.
    ///
    /// A deeper value does not determine the state of the record: deleting the last member deletes the record, and an
    /// object does not contain what was deleted. Reading the record is one request; keeping the collection's JSON in
    /// memory would cost as much memory as the database.
    var unclear: [String] = []

    /// Applies the changes in the order of the event. They took effect at the same time.
    init(_ changes: [FirebaseEvent.Change]) {
        for change in changes { add(change) }
        unclear = Set(unclear.map(ExactText.init)).sorted().map(\.text)
        for key in unclear { patched[key] = nil }
    }

    private mutating func add(_ change: FirebaseEvent.Change) {
        guard let key = change.path.first else { return }
        switch (change.path.count, change.value) {
        case (1, .null): deleted.append(key)
        case (1, let record): changed[key] = record
        case (2, .bool), (2, .integer), (2, .decimal), (2, .double), (2, .string):
            patched[key] = (patched[key] ?? .null).setting(change.value, at: change.path.dropFirst())
        default: unclear.append(key)
        }
    }
}
