import LockstepJSON

/// The values of an attribute or a to-one relationship, each on one line.
///
/// Of long values, the beginning and the end that they have in common are left out, so that the difference is shown:
/// `…same textOLD` and `…same textNEW`.
package struct InspectedDifference {
    /// The server's value; `nil` if it does not have the record.
    package let base: String?
    /// `nil` if the record was deleted.
    package let now: String?
    /// The whole values; empty if nothing of them was left out.
    package let whole: [String]

    package init(_ member: InspectionReport.MemberValue) {
        let (base, now) = (member.base.map(Self.text), member.now.map(Self.text))
        let texts = [base, now].compactMap(\.self)
        let isLong = texts.contains { $0.count > InspectionText.textLimit }
        whole = isLong ? texts : []
        guard isLong, let base, let now else {
            (self.base, self.now) = (base.map(InspectionText.short), now.map(InspectionText.short))
            return
        }
        let (old, new) = (Array(base), Array(now))
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
        (self.base, self.now) = (Self.cut(old, from: start, end: end), Self.cut(new, from: start, end: end))
    }

    private static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return (try? value.json()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The number of characters that both values have in common and that are shown at each side of a difference.
    private static let context = 20

    /// - Parameters:
    ///   - start: The number of characters at the beginning that both values have in common.
    ///   - end: The same at the end.
    private static func cut(_ text: [Character], from start: Int, end: Int) -> String {
        let (skipped, rest) = (max(0, start - context), max(0, end - context))
        let middle = text[skipped..<(text.count - rest)]
        let isCut = rest > 0 || middle.count > InspectionText.textLimit
        return (skipped > 0 ? "…" : "") + InspectionText.line(middle.prefix(InspectionText.textLimit))
            + (isCut ? "…" : "")
    }
}
