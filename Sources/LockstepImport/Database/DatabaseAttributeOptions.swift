import Foundation
import LockstepEvolution
import LockstepJSON

/// Adds the default and the limits of a column to an attribute.
struct DatabaseAttributeOptions {
    private let column: DatabaseColumn
    private let subject: String
    private let notes: ImportNotes

    init(_ column: DatabaseColumn, subject: String, notes: ImportNotes) {
        (self.column, self.subject, self.notes) = (column, subject, notes)
    }

    /// Adds the default, as one of the type that the attribute has without an enum.
    func addDefault(to member: inout MemberSketch) {
        let value = column.defaultValue
        guard let text = column.defaultText, value != .null else { return }
        if !member.type.isList {
            member.defaultValue = Self.value(value, as: member.type.name)
        } else if case .value(.array(let elements)) = value {
            let values = elements.compactMap { $0.asDefault(of: member.type.name) }
            if values.count == elements.count { member.defaultValue = .array(values) }
        }
        if member.defaultValue != nil { return }
        notes.left(
            column.line, text: "\(subject): DEFAULT \(text)", help: "Set it in Swift where you create records.")
    }

    private static func value(_ value: DatabaseLiteral.Default, as type: String) -> JSONValue? {
        switch (value, type) {
        case (.now, "date"): "now"
        case (.newUUID, "uuid"): "new"
        case (.bytes(let bytes), "data"): .string(Data(bytes).base64EncodedString())
        case (.value(.string(let text)), "date"): date(text)
        case (.value(.string(let text)), "day"): DayText.isDay(text) ? .string(text) : nil
        case (.value(let value), _): value.asDefault(of: type)
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
        if isLimited { lose(["the other limits"], as: "an enum") }
    }

    func addLimits(_ limits: DatabaseChecks.Limits, result: DatabaseValueType, to member: inout MemberSketch) {
        let scalar = result.isList ? "" : result.type
        var lost: [String] = []
        if !limits.values.isEmpty, scalar != "bool" { lost.append("the list of values") }
        if TypeSketch.numbers.contains(scalar) {
            (member.minimum, member.maximum) = (limits.minimum ?? result.minimum, limits.maximum)
        } else if scalar != "bool" {
            lost += (limits.minimum == nil ? [] : ["the minimum"]) + (limits.maximum == nil ? [] : ["the maximum"])
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
            column.line, text: "\(subject): \(limits.joined(separator: ", ")) in its CHECK, because it is \(type)",
            help: "Check it in Swift, in `validate()`.")
    }
}
