extension ImportedSchema {
    /// The YAML of a sketch, with the report as comments.
    init(_ sketch: SchemaSketch, report: ImportReport, from source: String, history: String? = nil) {
        let text = SketchText(sketch, tree: SketchTree(sketch), report: report, source: source).text
        self.init(name: sketch.name, text: text, report: report, history: history)
    }

    /// The YAML of a sketch that breaks no rule.
    init(_ repaired: RepairedSchema, report: ImportReport, from source: String) {
        let text = SketchText(repaired.sketch, tree: repaired.tree, report: report, source: source).text
        self.init(name: repaired.sketch.name, text: text, report: report, isChecked: true)
    }
}
