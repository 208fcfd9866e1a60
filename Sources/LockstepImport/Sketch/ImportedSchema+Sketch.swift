extension ImportedSchema {
    /// The YAML of a sketch, with the report as comments.
    init(_ sketch: SchemaSketch, _ report: ImportReport, from source: String, history: String? = nil) {
        var sketch = sketch
        sketch.comments = ["Imported from \(source)."] + report.comments
        self.init(name: sketch.name, text: SketchWriter(sketch).text, report: report, history: history)
    }
}
