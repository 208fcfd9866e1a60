// snippet
enum PeopleConversions: PeopleSchema.Conversions {
    static func splitName(
        _ old: PeopleSchema.PersonBeforeSplitName, _ new: inout PeopleSchema.PersonAfterSplitName
    ) throws {
        let parts = old.name.split(separator: " ", maxSplits: 1)
        new.firstName = parts.first.map(String.init) ?? ""
        new.lastName = parts.count > 1 ? String(parts[1]) : nil
    }
}
// end

extension PeopleConversions {
    /// `1.84 m` becomes 184. What is not a length is an error; an empty text is no height.
    static func metric(_ old: PeopleSchema.PersonBeforeMetric, _ new: inout PeopleSchema.PersonAfterMetric) throws {
        if old.height.isEmpty { return }
        guard let metres = Double(old.height.split(separator: " ").first ?? ""),
            let centimetres = Int(exactly: (metres * 100).rounded())
        else { throw NoLength(text: old.height) }
        new.height = centimetres
    }
}

private struct NoLength: Error, CustomStringConvertible {
    let text: String

    var description: String { "“\(text)” is not a length" }
}
