/// A key path cannot lead through another member's value: `image` and `[image, url]` would need `image` to be a value
/// and an object at once.
enum KeyInsideAnother: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for clash in draft.clashes where clash.kind == .wirePathInside { report.add(message(clash)) }
    }

    private static func message(_ clash: Clash) -> Diagnostic {
        let start = "The JSON key '\(clash.name)' of '\(clash.entity.name)' leads through "
        let isOwn = clash.first.range == clash.second.range
        return Diagnostic(
            .keyInsideAnother, at: clash.second.range,
            isOwn
                ? start + "the place where an embedded record of \(clash.first.text) is read"
                : start + "another value: that of \(clash.first.text) or of \(clash.second.text)",
            remedy: isOwn
                ? "Give it a key of its own with 'key:', or write 'wire: embedded'."
                : "Give one of the two another key with 'key:', or keep it off the wire with 'wire: none'.",
            notes: isOwn
                ? [] : [Diagnostic.Note("\(clash.first.text.capitalizingFirst) is here", at: clash.first.range)])
    }

    static let entry = CatalogueEntry(
        code: .keyInsideAnother,
        title: "A JSON key inside another value",
        explanation: """
            `key: [image, url]` finds its value in the object under `image`. Nothing else can have that object as its \
            value: not an attribute, and not a relationship, whose embedded record would be there.
            """,
        wrong: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  image: data
                  imageURL: { type: url?, key: [image, url] }
            """,
        right: """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  image: { type: data, key: image_data }
                  imageURL: { type: url?, key: [image, url] }
            """)
}

extension DiagnosticCode {
    /// A key path that leads through another member's value.
    public static let keyInsideAnother = DiagnosticCode(rawValue: "key-inside-another")
}
