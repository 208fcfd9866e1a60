import LockstepJSON

/// Finds a key of a JSON object in another spelling: `body_text`, `bodyText` and `BodyText` are the same name.
///
/// A class, so that the table is created at most once for an object, and only if a key is missing in its exact
/// spelling.
final class KeySpelling {
    private var keysByName: [String: JSONKey?]?

    /// The key with the same name as `key`, if there is exactly one. `isTaken` returns whether a key stands for another
    /// value.
    func alternative(to key: String, among keys: [JSONKey], isTaken: (String) -> Bool) -> JSONKey? {
        let table = keysByName ?? Self.table(keys)
        keysByName = table
        let match =
            table[KeyName.plain(key)] ?? NestedAttributes.shortName(key).flatMap { table[KeyName.plain($0)] } ?? nil
        guard let match, !isTaken(match.stringValue) else { return nil }
        return match
    }

    /// A name in `camelCase` if it is in `snake_case`, and the other way around; `nil` if it is the same in both.
    static func other(_ name: String) -> String? {
        if name.utf8.allSatisfy({ $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }) { return nil }
        if name.contains("_") {
            let words = name.split(separator: "_")
            let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return (words.first ?? "") + rest.joined()
        }
        return name.reduce(into: "") { other, character in
            if character.isUppercase, other.last?.isUppercase == false { other += "_" }
            other.append(character)
        }.lowercased()
    }

    /// Keys by name; `nil` if several have the same.
    private static func table(_ keys: [JSONKey]) -> [String: JSONKey?] {
        var table: [String: JSONKey?] = [:]
        table.reserveCapacity(keys.count)
        for key in keys {
            let name = KeyName.plain(key.stringValue)
            if table[name] != nil { table[name] = .some(nil) } else { table[name] = key }
        }
        return table
    }
}
