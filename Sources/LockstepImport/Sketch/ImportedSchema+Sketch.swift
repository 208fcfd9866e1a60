extension ImportedSchema {
    /// The YAML of a sketch, with the report as comments.
    ///
    /// - Parameter readText: What was read without an error, if anything was.
    init(
        _ sketch: SchemaSketch, _ report: ImportReport, from source: String, readText: String? = nil,
        history: String? = nil
    ) {
        var sketch = sketch
        sketch.comment(report, from: source)
        let text = SketchWriter(sketch).text
        self.init(name: sketch.name, text: text, report: report, isRead: text == readText, history: history)
    }
}

extension SchemaSketch {
    /// Writes the report as comments.
    mutating func comment(_ report: ImportReport, from source: String) {
        comments = ["Imported from \(source)."] + report.comments
    }
}
