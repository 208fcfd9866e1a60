import Foundation
import LockstepJSON

/// Adds the default and the limits of a column to an attribute.
struct DatabaseAttributeOptions {
    private let column: DatabaseColumn
    private let subject: String
    private let notes: ImportNotes

    init(_ column: DatabaseColumn, subject: String, notes: ImportNotes) {
        (self.column, self.subject, self.notes) = (column, subject, notes)
    }

    func addDefault(to member: inout MemberSketch, enumeration: EnumSketch?) {
        let value = column.defaultValue
        guard let text = column.defaultText, value != .null else { return }
        if let enumeration, case .value(let raw) = value,
            let found = enumeration.cases.first(where: { $0.value == raw })
        {
            member.defaultValue = .string(found.name)
        } else if enumeration == nil, let converted = Self.value(value, as: member.type.name) {
            member.defaultValue = converted
        } else {
            notes.left(nil, text: "\(subject): DEFAULT \(text)", help: "Set it in Swift where you create records.")
        }
    }

    private static func value(_ value: DatabaseLiteral.Default, as type: String) -> JSONValue? {
        switch (value, type) {
        case (.now, "date"): "now"
        case (.newUUID, "uuid"): "new"
        case (.bytes(let bytes), "data"): .string(Data(bytes).base64EncodedString())
        case (.value(.integer(let number)), "bool"): number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.value(.bool(let flag)), "bool"): .bool(flag)
        case (.value(.bool(let flag)), "int"): .integer(flag ? 1 : 0)
        case (.value(.string(let text)), "bool"):
            ["true", "1"].contains(text.lowercased())
                ? true : ["false", "0"].contains(text.lowercased()) ? false : nil
        case (.value(.string(let text)), "string"), (.value(.string(let text)), "url"),
            (.value(.string(let text)), "uuid"):
            .string(text)
        case (.value(.string(let text)), "date"): date(text)
        case (.value(.string(let text)), "json"): try? JSONValue(json: Data(text.utf8))
        case (.value(.string(let text)), "int"), (.value(.string(let text)), "int16"),
            (.value(.string(let text)), "int32"), (.value(.string(let text)), "int64"),
            (.value(.string(let text)), "double"), (.value(.string(let text)), "decimal"):
            DatabaseLiteral.number(text)
        case (.value(.integer(let number)), "string"): .string(String(number))
        case (.value(let number), "int"), (.value(let number), "int16"), (.value(let number), "int32"),
            (.value(let number), "int64"):
            if case .integer = number { number } else { nil }
        case (.value(.array(let elements)), _): .array(elements)
        case (.value(let number), "double"), (.value(let number), "decimal"), (.value(let number), "float"):
            switch number {
            case .integer, .decimal, .double: number
            default: nil
            }
        default: nil
        }
    }

    private static func date(_ text: String) -> JSONValue? {
        guard let form = TextForm.date(text), !form.hasZone else { return nil }
        let parts = text.replacingOccurrences(of: "T", with: " ").split(separator: " ").map(String.init)
        guard parts.count == 2 else { return .string("\(text)T00:00:00Z") }
        return .string("\(parts[0])T\(parts[1].count == 5 ? parts[1] + ":00" : parts[1])Z")
    }

    /// Reports the limits that an enum does not have beside its values.
    func reportOthers(_ limits: DatabaseChecks.Limits, result: DatabaseValueType) {
        let isLimited =
            limits.minimum != nil || limits.maximum != nil || limits.minimumLength != nil || limits.maximumLength != nil
        if isLimited { lose(["its other limits"], as: "an enum") }
    }

    func addLimits(_ limits: DatabaseChecks.Limits, result: DatabaseValueType, to member: inout MemberSketch) {
        let scalar = result.isList ? "" : result.type
        var lost: [String] = []
        if !limits.values.isEmpty, scalar != "bool" { lost.append("its list of values") }
        let isNumber = ["int", "int16", "int32", "int64", "float", "double", "decimal"].contains(scalar)
        if isNumber {
            (member.minimum, member.maximum) = (limits.minimum, limits.maximum)
        } else if scalar != "bool" {
            lost += (limits.minimum == nil ? [] : ["its minimum"]) + (limits.maximum == nil ? [] : ["its maximum"])
        }
        let maximumLength = [limits.maximumLength, result.maximumLength].compactMap(\.self).min()
        if ["string", "data"].contains(scalar) {
            (member.minimumLength, member.maximumLength) = (limits.minimumLength, maximumLength)
        } else {
            lost += [limits.minimumLength, maximumLength].compactMap { $0.map { "the length \($0)" } }
        }
        if !lost.isEmpty { lose(lost, as: member.type.description) }
    }

    private func lose(_ limits: [String], as type: String) {
        notes.left(
            nil, text: "\(subject): \(limits.joined(separator: ", ")) of a CHECK, because it is \(type)",
            help: "Check it in Swift, in `validate()`.")
    }
}
