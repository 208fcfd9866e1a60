import Foundation
import LockstepStore

/// An event of a Firebase database's stream, as it came: a name, and what has changed where.
enum FirebaseEvent: Sendable, Hashable {
    /// These places have these values now; `null` is nothing. A path has no keys where it is the whole collection.
    case changes([Change])
    /// All of the collection, as its JSON.
    case snapshot(Data)
    /// Nothing happened: the connection is alive.
    case keepAlive
    /// The security rules allow no more reading.
    case cancelled
    /// The token is no longer valid.
    case revoked

    struct Change: Sendable, Hashable {
        var path: [String]
        var value: JSONValue
    }

    /// Reads an event. `nil` for one whose name means nothing: the server may learn others.
    ///
    /// - Throws: `JSONSyntaxError`, or ``Malformed`` where the data is no `{"path": …, "data": …}`.
    init?(name: String, data: Data) throws {
        switch name {
        case "put", "patch":
            let (path, json) = try Self.parts(of: data)
            self = name == "put" && path.isEmpty ? .snapshot(json) : .changes(try Self.changes(name, path, json))
        case "keep-alive": self = .keepAlive
        case "cancel": self = .cancelled
        case "auth_revoked": self = .revoked
        default: return nil
        }
    }

    struct Malformed: Error, CustomStringConvertible {
        var description: String { "the event has no path and data" }
    }

    private static func changes(_ name: String, _ path: [String], _ json: Data) throws -> [Change] {
        let value = try JSONValue(json: json)
        guard name == "patch" else { return [Change(path: path, value: value)] }
        guard case .object(let members) = value else { throw Malformed() }
        // Several places may be patched in one: the keys are then paths, too.
        return members.sorted { $0.key < $1.key }.map { key, value in
            Change(path: path + keys(of: key), value: value)
        }
    }

    private static func keys(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

    /// The path, and the bytes of the data: a snapshot may be large, and is read by whoever merges it.
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

/// What changes mean for a collection.
struct FirebaseNews: Sendable, Hashable {
    /// Records that are as they are here.
    var changed: [String: JSONValue] = [:]
    /// Members of records that have a value now.
    var patched: [String: JSONValue] = [:]
    /// Records that are gone.
    var deleted: [String] = []
    /// Records of which something deeper has changed, or is gone: they are to be read anew.
    ///
    /// A value deeper in a record does not tell what the record is: taking the last member away takes the record away,
    /// and an object says nothing of what it lacks. Reading it is one request; keeping the collection's JSON in memory
    /// to put the value in would cost as much as the database does.
    var unclear: [String] = []

    /// The changes in the order of the event, which took effect at once.
    init(_ changes: [FirebaseEvent.Change]) {
        for change in changes { add(change) }
        let unclear = Set(unclear)
        for key in unclear { patched[key] = nil }
        self.unclear = unclear.sorted()
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
