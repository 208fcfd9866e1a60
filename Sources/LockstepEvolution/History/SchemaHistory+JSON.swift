package import LockstepJSON

extension SchemaHistory {
    /// The history as it is recorded and compiled in.
    package var json: JSONValue {
        .object([
            "history": .integer(Int64(Self.format)), "schema": .string(schema), "head": .string(headText),
            "versions": .array(versions.enumerated().map { $1.json(base: $0 == 0 ? base : nil) }),
        ])
    }

    /// Reads a history without verifying it.
    ///
    /// - Throws: `StructureError` if something is missing, of another type, or unknown.
    package init(json: JSONValue) throws(StructureError) {
        var reader = PropertyReader(try SchemaTree.object(json, at: []), path: [])
        let format = try reader.integer("history") ?? 0
        guard format <= Self.format else {
            throw reader.error("history", reason: "format \(format) is newer than this version of lockstep")
        }
        guard format >= 1 else { throw reader.error("history", reason: "it is missing") }
        let schema = try reader.requiredText("schema")
        let head = try reader.requiredText("head")
        guard case .array(let elements)? = reader.value("versions"), !elements.isEmpty else {
            throw reader.error("versions", reason: "there are none")
        }
        try reader.finish()
        self.init(schema: schema, base: SchemaTree(name: schema), versions: [])
        for (index, element) in elements.enumerated() {
            var version = PropertyReader(
                try SchemaTree.object(element, at: ["versions"]), path: ["versions", String(index + 1)])
            if index == 0 { base = try SchemaTree(json: version.base(schema: schema)) }
            versions.append(try Version(&version))
            try version.finish()
        }
        guard head == headText else {
            throw StructureError(["head"], reason: "it is '\(head)', but the last version is '\(headText)'")
        }
    }
}

extension SchemaHistory.Version {
    fileprivate func json(base: SchemaTree?) -> JSONValue {
        var object: JSONObject = ["version": .integer(Int64(number)), "is": .string(hash.text)]
        object["name"] = name.map(JSONValue.string)
        if isReleased { object["released"] = true }
        if !changes.isEmpty { object["changes"] = .array(changes.map(\.json)) }
        if case .object(let members)? = base?.json {
            object["enums"] = members["enums"]
            object["entities"] = members["entities"]
        }
        return .object(object)
    }

    fileprivate init(_ reader: inout PropertyReader) throws(StructureError) {
        guard let number = try reader.integer("version"), number > 0 else {
            throw reader.error("version", reason: "it is missing, or is not a number above 0")
        }
        guard let hash = StructureHash(text: try reader.requiredText("is")) else {
            throw reader.error("is", reason: "it is not two hashes")
        }
        self.init(
            number: number, name: try reader.text("name"), hash: hash,
            isReleased: try reader.flag("released") ?? false)
        guard let value = reader.value("changes") else { return }
        guard case .array(let elements) = value else { throw reader.error("changes", reason: "it is not a list") }
        for (index, element) in elements.enumerated() {
            changes.append(
                try SchemaChange(json: element, path: ["version \(number)", "change \(index + 1)"]))
        }
    }
}

extension PropertyReader {
    fileprivate mutating func base(schema: String) -> JSONValue {
        .object([
            "schema": .string(schema), "enums": value("enums") ?? .object([:]),
            "entities": value("entities") ?? .object([:]),
        ])
    }
}
