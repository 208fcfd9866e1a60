package import LockstepJSON

extension SchemaChange {
    /// The change as it is recorded: `{"add": "Entry.pinned", "as": {"type": "bool"}}`.
    package var json: JSONValue {
        var object = answers.members
        let name = JSONValue.string(path.description)
        switch action {
        case .add(let properties):
            object["add"] = name
            object["as"] = .object(properties)
        case .remove(was: let properties):
            object["remove"] = name
            object["was"] = .object(properties)
        case .rename(to: let new):
            object["rename"] = name
            object["to"] = .string(new)
        case .change(from: let former, to: let new):
            object["change"] = name
            object["from"] = .object(former)
            object["to"] = .object(new)
        }
        return .object(object)
    }

    /// - Throws: `StructureError` if it is not a change.
    package init(json: JSONValue, path: [String]) throws(StructureError) {
        var reader = PropertyReader(try SchemaTree.object(json, at: path), path: path)
        var found: (key: String, name: MemberPath)?
        for key in ["add", "remove", "rename", "change"] {
            guard let text = try reader.text(key) else { continue }
            guard found == nil else {
                throw reader.error(key, reason: "a change is one of add, remove, rename and change")
            }
            guard let name = MemberPath(text: text) else { throw reader.error(key, reason: "'\(text)' is not a name") }
            found = (key, name)
        }
        guard let found else { throw StructureError(path, reason: "it is none of add, remove, rename and change") }
        let action: Action
        switch found.key {
        case "add": action = .add(try reader.members("as"))
        case "remove": action = .remove(was: try reader.members("was"))
        case "rename": action = .rename(to: try reader.requiredText("to"))
        default: action = .change(from: try reader.members("from"), to: try reader.members("to"))
        }
        self.init(found.name, action: action, answers: try ChangeAnswers(&reader))
        try reader.finish()
    }
}

extension ChangeAnswers {
    fileprivate var members: JSONObject {
        var object: JSONObject = [:]
        object["fill"] = fill
        object["convert"] = convert.map(JSONValue.string)
        object["otherwise"] = otherwise
        if refetch { object["refetch"] = true }
        object["duplicates"] = duplicates.map(JSONValue.string)
        if !cases.isEmpty { object["cases"] = .object(JSONObject(cases.mapValues(JSONValue.string))) }
        object["first"] = first.map { .string($0.rawValue) }
        object["because"] = because.map(JSONValue.string)
        return object
    }

    fileprivate init(_ reader: inout PropertyReader) throws(StructureError) {
        self.init(
            fill: reader.value("fill"), convert: try reader.text("convert"), otherwise: reader.value("otherwise"),
            refetch: try reader.flag("refetch") ?? false, duplicates: try reader.text("duplicates"))
        if var cases = try reader.object("cases") {
            for name in cases.names { self.cases[name] = try cases.requiredText(name) }
        }
        if let text = try reader.text("first") {
            guard let first = FirstSync(rawValue: text) else {
                throw reader.error("first", reason: "it is push or pull")
            }
            self.first = first
        }
        because = try reader.text("because")
    }
}

extension PropertyReader {
    /// The members of a mapping that must be there.
    fileprivate mutating func members(_ key: String) throws(StructureError) -> JSONObject {
        guard case .object(let members)? = value(key) else {
            throw error(key, reason: "it is missing, or is not a mapping")
        }
        return members
    }
}
