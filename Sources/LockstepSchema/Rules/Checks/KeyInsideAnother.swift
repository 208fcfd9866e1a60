/// A key path cannot lead through another member's value: `image` and `[image, url]` would need `image` to be a value and an object
/// at once.
enum KeyInsideAnother: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for clash in draft.clashes where clash.kind == .wirePathInside {
            report.add(
                Diagnostic(
                    .keyInsideAnother, at: clash.second.range,
                    "The JSON key '\(clash.name)' of '\(clash.entity.name)' leads through another value: that of "
                        + "\(clash.first.text) or of \(clash.second.text)",
                    remedy: "Give one of the two another key with 'key:', or keep it off the wire with 'wire: none'.",
                    notes: [Diagnostic.Note("\(clash.first.text.capitalizingFirst) is here", at: clash.first.range)]))
        }
    }

    static let entry = CatalogueEntry(
        code: .keyInsideAnother,
        title: "A JSON key inside another value",
        explanation: """
            `key: [image, url]` finds its value in the object under `image`. Nothing else can have that object as its value: \
            not an attribute, and not a relationship, whose embedded record would be there.
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
