import GRDB

/// The condition that some columns contain one of many keys, and its arguments.
struct KeySearch {
    let sql: String
    let arguments: [DatabaseValue]
    /// Whether a search for other keys has the same SQL.
    let isRepeatable: Bool

    /// SQLite's default limit of parameters in a statement (`SQLITE_MAX_VARIABLE_NUMBER`).
    private static let parameterLimit = 32_766

    /// The searches that find all of `keys`: one if JSON can represent the keys, otherwise one for each 32,766 values.
    ///
    /// - Parameter columns: The columns in SQL, quoted, in the order of the keys' values.
    static func searches(for keys: [RecordKey], in columns: [String]) -> [KeySearch] {
        guard !keys.isEmpty, !columns.isEmpty else { return [] }
        if let json = json(of: keys) { return [KeySearch(json, columns: columns)] }
        let step = parameterLimit / columns.count
        return stride(from: 0, to: keys.count, by: step).map { start in
            KeySearch(keys[start..<min(start + step, keys.count)], columns: columns)
        }
    }

    /// Passes the keys as one argument, so that SQLite prepares the statement once, however many keys there are.
    private init(_ json: String, columns: [String]) {
        let list = columns.joined(separator: ", ")
        if columns.count == 1 {
            sql = "\(list) IN (SELECT value FROM json_each(?))"
        } else {
            let parts = columns.indices.map { "json_extract(value, '$[\($0)]')" }.joined(separator: ", ")
            sql = "(\(list)) IN (SELECT \(parts) FROM json_each(?))"
        }
        arguments = [json.databaseValue]
        isRepeatable = true
    }

    /// Passes each value as an argument.
    private init(_ keys: ArraySlice<RecordKey>, columns: [String]) {
        let list = columns.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        if columns.count == 1 {
            sql = "\(list) IN (\(keys.map { _ in "?" }.joined(separator: ", ")))"
        } else {
            sql = "(\(list)) IN (VALUES \(keys.map { _ in "(\(marks))" }.joined(separator: ", ")))"
        }
        arguments = keys.flatMap(\.values)
        isRepeatable = false
    }

    /// `nil` if a value would not be preserved exactly: blobs, numbers with a fraction, text with NUL.
    private static func json(of keys: [RecordKey]) -> String? {
        if let text = jsonOfUUIDs(keys) { return text }
        var elements: [JSONValue] = []
        elements.reserveCapacity(keys.count)
        for key in keys {
            var parts: [JSONValue] = []
            for value in key.values {
                switch value.storage {
                case .int64(let number): parts.append(.integer(number))
                case .string(let text) where !text.utf8.contains(0): parts.append(.string(text))
                default: return nil
                }
            }
            elements.append(parts.count == 1 ? parts[0] : .array(parts))
        }
        return StoredJSON.text(of: .array(elements))
    }

    /// The same as ``json(of:)``, if every key is a UUID.
    private static func jsonOfUUIDs(_ keys: [RecordKey]) -> String? {
        guard keys.allSatisfy({ $0.uuidWords != nil }) else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(keys.count * 39 + 2)
        for key in keys {
            guard let uuid = key.uuid else { continue }
            text += text.isEmpty ? [UInt8(ascii: "["), UInt8(ascii: "\"")] : [UInt8(ascii: ","), UInt8(ascii: "\"")]
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
                uuid.write(lowercaseText: buffer)
                text += buffer
            }
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: "]"))
        return String(decoding: text, as: UTF8.self)
    }
}
