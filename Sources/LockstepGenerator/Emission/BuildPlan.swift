import LockstepSchema

/// The state of a build system when it made its plan. SwiftPM plans once, and again when files of a target are added or
/// removed. It does not check whether a configuration or a folder outside of a target has changed.
package struct BuildPlan {
    /// A folder whose schemas were all planned.
    package var folder: String?
    /// A file that configures the plan.
    package var file: String?
    /// The contents of the file.
    package var text: String?

    package init(folder: String? = nil, file: String? = nil, text: String? = nil) {
        self.folder = folder
        self.file = file
        self.text = text
    }

    /// - Throws: ``FindingsReported`` if the plan is out of date.
    func check(schemas: [String]) throws {
        if let file, try SchemaFiles.source(at: file).bytes != Array((text ?? "").utf8) {
            throw outdated("\(file):1:1", problem: "This file has changed")
        }
        guard let folder else { return }
        let planned = Set(schemas.map(SchemaFiles.standardized))
        let files = try SchemaFiles.files(at: folder)
        if let new = files.first(where: { !planned.contains(SchemaFiles.standardized($0)) }) {
            throw outdated("\(new):1:1", problem: "This schema is new")
        }
    }

    private func outdated(_ location: String, problem: String) -> FindingsReported {
        Console.report(
            """
            \(location): error: \(problem) since the build was planned
            help: Save Package.swift (touch Package.swift) and build again, so that the build is planned again. In a project \
            of Xcode: Product > Clean Build Folder.
            """)
        return FindingsReported()
    }
}
