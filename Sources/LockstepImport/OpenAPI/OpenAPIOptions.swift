import Foundation
import LockstepJSON
import LockstepSchema

/// The options of an attribute: its default, its limits, its documentation.
struct OpenAPIOptions {
    let value: OpenAPIValue
    let subject: String
    let notes: ImportNotes

    /// Adds what a value and its type allow.
    func add(to member: inout MemberSketch, scalar: String, isList: Bool) {
        addDefault(to: &member, scalar: scalar, isList: isList)
        if isList {
            addLength("minItems", to: &member.minimumLength)
            addLength("maxItems", to: &member.maximumLength)
        } else if scalar == "string" || scalar == "data" {
            addLength("minLength", to: &member.minimumLength)
            addLength("maxLength", to: &member.maximumLength)
        } else if TypeSketch.numbers.contains(scalar) {
            addLimits(to: &member, isWhole: scalar.hasPrefix("int"))
        }
        addDocumentation(to: &member)
    }

    /// Adds the description, and that it is deprecated.
    func addDocumentation(to member: inout MemberSketch) {
        let description = value["description"]?.text.flatMap(OpenAPIContext.documentation)
        let title = value.layers.first?.peek("title")?.text.flatMap(OpenAPIContext.documentation)
        if let description {
            member.documentation = description
        } else if let title, title.lowercased() != member.name.lowercased() {
            _ = value["title"]
            member.documentation = title
        }
        if value["deprecated"]?.bool == true { member.deprecation = "The server will remove it." }
    }

    // MARK: Default

    private func addDefault(to member: inout MemberSketch, scalar: String, isList: Bool) {
        guard let node = value["default"] else { return }
        node.readAll()
        if node.isNull, member.isOptional { return }
        if !isList {
            member.defaultValue = defaultValue(node, scalar: scalar)
        } else if node.isList {
            let values = node.peekedElements.compactMap { defaultValue($0, scalar: scalar) }
            if values.count == node.peekedElements.count { member.defaultValue = .array(values) }
        }
        if member.defaultValue != nil { return }
        notes.left(
            node.line, text: "\(subject): the default \(Self.text(node))", help: "Set it in Swift, in an initializer.")
    }

    private func defaultValue(_ node: OpenAPINode, scalar: String) -> JSONValue? {
        switch scalar {
        case "json": node.json == .null ? nil : node.json
        case "data": nil
        case "bool": node.json.asDefault(of: scalar)
        case _ where TypeSketch.numbers.contains(scalar): node.json.asDefault(of: scalar)
        default: node.text.map(JSONValue.string)
        }
    }

    /// A value for a note.
    static func text(_ node: OpenAPINode) -> String {
        if let text = node.text { return text }
        return YAMLText.flow(node.json)
    }

    // MARK: Limits

    private func addLength(_ keyword: String, to length: inout Int64?) {
        guard let node = value[keyword] else { return }
        if let count = node.integer, count >= 0 {
            if count > 0 || keyword.hasPrefix("max") { length = count }
        } else {
            notes.left(node.line, text: "\(subject): \(keyword) \(Self.text(node))")
        }
    }

    /// The limits: exclusive ones are a flag in OpenAPI 3.0, and a number in 3.1.
    private func addLimits(to member: inout MemberSketch, isWhole: Bool) {
        for (keyword, exclusive, option, step) in [
            ("minimum", "exclusiveMinimum", \MemberSketch.minimum, Int64(1)),
            ("maximum", "exclusiveMaximum", \MemberSketch.maximum, Int64(-1)),
        ] {
            let (limit, flag) = (value[keyword], value[exclusive])
            if let number = flag?.number {
                if isWhole, case .integer(let whole) = number, let next = whole.plus(step) {
                    member[keyPath: option] = .integer(next)
                } else {
                    loseExclusive(exclusive, node: flag)
                    member[keyPath: option] = number
                }
                continue
            }
            guard let limit, let number = limit.number else {
                if let limit { notes.left(limit.line, text: "\(subject): \(keyword) \(Self.text(limit))") }
                continue
            }
            guard flag?.bool == true else {
                if isWhole, case .integer(let whole) = number, Self.isWidest(whole, member: member) { continue }
                member[keyPath: option] = isWhole ? limit.integer.map(JSONValue.integer) ?? number : number
                continue
            }
            if isWhole, let whole = limit.integer, let next = whole.plus(step) {
                member[keyPath: option] = .integer(next)
            } else {
                loseExclusive(exclusive, node: flag)
                member[keyPath: option] = number
            }
        }
    }

    /// Whether a limit is that of the type.
    private static func isWidest(_ number: Int64, member: MemberSketch) -> Bool {
        switch member.type.name {
        case "int32": number == Int64(Int32.min) || number == Int64(Int32.max)
        case "int16": number == Int64(Int16.min) || number == Int64(Int16.max)
        default: number == .min || number == .max
        }
    }

    private func loseExclusive(_ keyword: String, node: OpenAPINode?) {
        notes.left(
            node?.line, text: "\(subject): \(keyword): the limit itself is allowed",
            help: "Check it in Swift, in `validate()`.")
    }
}
