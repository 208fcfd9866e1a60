extension ImportedSchema {
    /// The YAML of a sketch, with the report as comments.
    init(_ sketch: SchemaSketch, report: ImportReport, from source: String, history: String? = nil) {
        var sketch = sketch
        sketch.comment(report, from: source)
        self.init(name: sketch.name, text: SketchWriter(sketch).text, report: report, history: history)
    }

    /// The YAML that was read when its sketch was repaired, unless the repair has changed the report.
    init(_ repaired: RepairedSchema, report: ImportReport, from source: String) {
        var sketch = repaired.sketch
        sketch.comment(report, from: source)
        if sketch.comments == repaired.sketch.comments, sketch.lastComments == repaired.sketch.lastComments {
            self.init(name: sketch.name, text: repaired.text, report: report, isRead: true)
        } else {
            self.init(sketch, report: report, from: source)
        }
    }
}

extension SchemaSketch {
    /// Writes the report as comments.
    mutating func comment(_ report: ImportReport, from source: String) {
        let (first, last) = report.comments
        comments = ["Imported from \(source)."] + first
        lastComments = last
    }
}
