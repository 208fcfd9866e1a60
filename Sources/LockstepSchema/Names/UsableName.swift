/// Names for schemas that are made of other files: as they are there, if the language allows it.
package enum UsableName {
    /// The name of a schema, an entity or an enum, in UpperCamelCase.
    package static func type(_ name: String) -> String {
        let type = Identifier.correctedTypeName(name) ?? (name.isEmpty ? "Schema" : name)
        return ReservedNames.modules.contains(type) ? type + "Record" : type
    }

    /// The name of an attribute or a relationship.
    ///
    /// - Parameter types: The names of the schema's entities and enums.
    package static func member(_ name: String, types: Set<String>) -> String {
        var member = Identifier.isValid(name) ? name : Identifier.corrected(name) ?? "member"
        if ReservedNames.types.contains(member) || types.contains(member) { member = NameWords(member).lowerCamelCase }
        let isReserved = [member, member + "ID"].contains(where: ReservedNames.members.contains)
        return isReserved ? member + "Value" : member
    }

    /// The words of a name: `image`, `URL` for `imageURL` and `image_URL`.
    package static func words(_ name: String) -> [String] { NameWords(Identifier.corrected(name) ?? "").words }

    /// The column or table that the language derives from a name.
    package static func column(_ name: String) -> String { NameSpelling.snake_case.spell(name) }
}
