/// A key path cannot lead through another member's value: with `image` and `[image, url]`, `image` would have to be a
/// value and an object at the same time.
enum KeyInsideAnother: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for clash in draft.clashes where clash.kind == .wirePathInside { report.add(message(clash)) }
    }

    private static func message(_ clash: Clash) -> Diagnostic {
        let start = "The JSON key '\(clash.name)' of '\(clash.entity.name)' goes through "
        let isOwn = clash.first.range == clash.second.range
        return Diagnostic(
            .keyInsideAnother, at: clash.second.range,
            message: isOwn
                ? start + "the object of the embedded record of \(clash.first.text)"
                : start + "another value: that of \(clash.first.text) or of \(clash.second.text)",
            remedy: isOwn
                ? "Give it another key with 'key:', or write 'wire: embedded'."
                : "Give one of the two another key with 'key:', or exclude it with 'wire: none'.",
            notes: isOwn
                ? [] : [Diagnostic.Note("\(clash.first.text.capitalizingFirst) is here", at: clash.first.range)])
    }

    static let entry = CatalogueEntry(
        code: .keyInsideAnother,
        title: "JSON key inside another value",
        explanation: """
            `key: [image, url]` reads a value from the object under `image`. No other attribute or embedded \
            relationship can use that object as its value.
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
    /// A key path that goes through another member's value.
    package static let keyInsideAnother = DiagnosticCode(rawValue: "key-inside-another")
}
