extension ImportedSchema {
    /// The YAML of a sketch, with the report as comments.
    init(_ sketch: SchemaSketch, report: ImportReport, from source: String, history: String? = nil) {
        var sketch = sketch
        let (first, last) = report.comments
        (sketch.comments, sketch.lastComments) = (["Imported from \(source)."] + first, last)
        self.init(name: sketch.name, text: SketchText(sketch).text, report: report, history: history)
    }

    /// The YAML of a sketch that breaks no rule.
    init(_ repaired: RepairedSchema, report: ImportReport, from source: String) {
        self.init(repaired.sketch, report: report, from: source)
        isChecked = true
    }
}
