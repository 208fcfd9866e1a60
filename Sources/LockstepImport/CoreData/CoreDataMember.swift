import LockstepJSON
import LockstepSchema

/// Makes an attribute of the language of one of Core Data.
struct CoreDataMember {
    private let attribute: CoreDataAttribute
    private let names: CoreDataNames
    private let notes: ImportNotes
    private let isIdentity: Bool
    private var line: Int { attribute.line }
    private var subject: String { attribute.subject }

    init(_ attribute: CoreDataAttribute, names: CoreDataNames, notes: ImportNotes, isIdentity: Bool) {
        (self.attribute, self.names, self.notes, self.isIdentity) = (attribute, names, notes, isIdentity)
    }

    /// Returns `nil` if it has no counterpart.
    func sketch(named name: String) -> MemberSketch? {
        guard let type = type() else { return nil }
        var member = MemberSketch(name: name, type: type, source: attribute.name, line: line)
        if isIdentity {
            if attribute.isOptional { notes.decided(line, text: "\(subject) is required, because it is an identity") }
            let value = attribute.defaultValue
            if value == "new", type == .one("uuid") {
                member.defaultValue = "new"
            } else if let value, value != 0, value != "" {
                notes.left(
                    line, text: "\(subject): the default \(YAMLText.flow(value)), because it is in the identity",
                    help: "Set it in Swift, when you create records.")
            }
        } else {
            (member.isOptional, member.defaultValue) = (attribute.isOptional, attribute.defaultValue)
            if attribute.isScalar {
                // A property of a scalar type cannot be nil.
                member.isOptional = false
                if member.defaultValue == nil { member.defaultValue = type.name == "bool" ? false : 0 }
            }
        }
        (member.minimum, member.maximum) = (attribute.minimum, attribute.maximum)
        (member.minimumLength, member.maximumLength) = (attribute.minimumLength, attribute.maximumLength)
        member.isTransient = attribute.isTransient
        member.isIndexed = !isIdentity && attribute.isIndexed
        member.isAttachment = attribute.isExternal && member.type == .optional("data") && !member.isTransient
        if attribute.isExternal, !member.isAttachment {
            notes.left(
                line, text: "\(subject): that large values are stored in files",
                help: "Only optional data can be in files: `{ type: data?, attachment: true }`.")
        }
        return member
    }

    // MARK: Types

    private func type() -> TypeSketch? {
        switch attribute.type {
        case .scalar(let scalar): return .one(scalar.type)
        case .enumeration(let path, _): return .one(names.enumeration(path))
        case .enumerationList(let path): return .list(of: names.enumeration(path))
        case .transformable(let transformable): return type(transformable)
        case .composite(let words, _):
            notes.decided(line, text: "\(subject), \(words), is json")
            return .one("json")
        case .derived(let expression):
            notes.left(
                line, text: "\(subject), derived\(expression.map { " = \($0)" } ?? "")",
                help: "Write it in Swift, as a computed property.")
        case .undefined:
            notes.left(
                line, text: "\(subject) has no type", help: "If it is needed, write it in Swift, in an extension.")
        case .other(let name): notes.left(line, text: "\(subject) has the type '\(name)', which is not known")
        }
        return nil
    }

    private func type(_ transformable: CoreDataTransformable) -> TypeSketch {
        let type = transformable.sketch
        let text = "\(subject), \(transformable.words), is \(type)"
        if transformable.isPlain {
            if transformable.isOfApp, let transformer = transformable.transformer {
                notes.decided(
                    line, text: text,
                    help: "What '\(transformer)' makes of it is in no row that is copied: write its values in Swift.")
            }
        } else {
            notes.decided(
                line, text: text,
                help: type == .one("json")
                    ? nil
                    : "For a class of your own, write a type in `types:`. For JSON values, write `json`; for texts, "
                        + "`[string]`.")
        }
        return type
    }
}
