/// A name that Core Data has made of a property's: in upper case, with a prefix, with digits if it is taken.
struct NumberedName {
    /// The number of the entity before the name; `nil` if there is none.
    let entity: Int64?
    /// The number after the name; 0 if there is none.
    let suffix: Int

    /// Reads `PREFIX` digits `NAME` digits; `nil` if the text is something else.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - isNumbered: Whether there are digits before the name.
    init?(_ text: String, prefix: String, name: String, isNumbered: Bool) {
        guard text.hasPrefix(prefix) else { return nil }
        var rest = text.dropFirst(prefix.count)
        let digits = isNumbered ? rest.prefix { $0.isASCII && $0.isNumber } : ""
        rest = rest.dropFirst(digits.count)
        let name = name.uppercased()
        guard rest.hasPrefix(name), !isNumbered || !digits.isEmpty else { return nil }
        rest = rest.dropFirst(name.count)
        guard let suffix = rest.isEmpty ? 0 : Int(rest), suffix >= 0 else { return nil }
        (entity, self.suffix) = (Int64(digits), suffix)
    }
}
