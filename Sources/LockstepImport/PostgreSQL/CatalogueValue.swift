import Foundation
import LockstepJSON

/// A value of a catalogue's JSON, and where it is: `tables[3].columns[0].name`.
///
/// The file can contain anything, so the type of each value is checked, and the error of a wrong one names its place.
struct CatalogueValue {
    let value: JSONValue
    private let place: String
    private let path: String

    init(_ value: JSONValue, path: String) { self.init(value, place: "", path: path) }

    private init(_ value: JSONValue, place: String, path: String) {
        (self.value, self.place, self.path) = (value, place, path)
    }

    /// - Throws: ``ImportFailure`` if this is not an object.
    private func member(_ key: String) throws(ImportFailure) -> CatalogueValue {
        guard case .object(let members) = value else { throw failure("an object") }
        return CatalogueValue(members[key] ?? .null, place: place.isEmpty ? key : "\(place).\(key)", path: path)
    }

    func failure(_ expected: String) -> ImportFailure {
        ImportFailure(
            path,
            reason: "\(place.isEmpty ? "It" : "'\(place)'") is not \(expected), as the query makes it. Run "
                + "'lockstep import --postgresql-query | psql -X -At DATABASE > FILE.json' again.")
    }

    func text(_ key: String) throws(ImportFailure) -> String {
        let member = try member(key)
        guard case .string(let text) = member.value else { throw member.failure("a text") }
        return text
    }

    func optionalText(_ key: String) throws(ImportFailure) -> String? {
        let member = try member(key)
        if member.value == .null { return nil }
        return try text(key)
    }

    func number(_ key: String) throws(ImportFailure) -> Int64 {
        let member = try member(key)
        guard case .integer(let number) = member.value else { throw member.failure("a number") }
        return number
    }

    func flag(_ key: String) throws(ImportFailure) -> Bool {
        let member = try member(key)
        guard case .bool(let flag) = member.value else { throw member.failure("true or false") }
        return flag
    }

    func list(_ key: String) throws(ImportFailure) -> [CatalogueValue] {
        let member = try member(key)
        guard case .array(let elements) = member.value else { throw member.failure("a list") }
        return elements.enumerated().map { index, element in
            CatalogueValue(element, place: "\(member.place)[\(index)]", path: path)
        }
    }

    func texts(_ key: String) throws(ImportFailure) -> [String] {
        var texts: [String] = []
        for element in try list(key) {
            guard case .string(let text) = element.value else { throw element.failure("a text") }
            texts.append(text)
        }
        return texts
    }

    /// A list in which `null` stands for something without a name.
    func optionalTexts(_ key: String) throws(ImportFailure) -> [String?] {
        var texts: [String?] = []
        for element in try list(key) {
            switch element.value {
            case .string(let text): texts.append(text)
            case .null: texts.append(nil)
            default: throw element.failure("a text")
            }
        }
        return texts
    }
}
