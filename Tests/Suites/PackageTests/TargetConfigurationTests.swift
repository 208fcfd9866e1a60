import Foundation
import TestSupport
import Testing

extension BuildPluginTests {
    @Test("A new schema in a folder outside the target stops the build with a remedy, which works")
    func newInFolder() throws {
        try package.buildUntilPlanned()
        try package.write(Sample.recipes.replacing("Recipe", with: "Meal"), to: "Schemas/Meals.yaml")
        let result = try package.build()
        #expect(result.status != 0)
        #expect(
            result.text.contains(
                "\(package.path("Schemas/Meals.yaml")):1:1: error: This schema is new since the build was planned"),
            "\(result.text)")
        #expect(result.text.contains("touch Package.swift"))
        try package.planAnew()
        try package.buildWell()
        #expect(try package.generated(for: "Models").keys.contains("Meals.1.swift"))
    }

    @Test("A schema deleted from a folder outside the target stops the build too, until it is planned again")
    func goneFromFolder() throws {
        try package.write(Sample.recipes.replacing("Recipe", with: "Meal"), to: "Schemas/Meals.yaml")
        try package.planAnew()
        try package.buildUntilPlanned()
        try package.remove("Schemas/Meals.yaml")
        let result = try package.build()
        #expect(result.status != 0)
        // SwiftPM's message, which the page on the plugins quotes.
        #expect(
            result.text.contains("because of missing inputs: \(package.path("Schemas/Meals.yaml"))"), "\(result.text)")
        try package.planAnew()
        try package.buildWell()
        #expect(try !package.generated(for: "Models").keys.contains("Meals.1.swift"))
    }

    @Test("A configuration can have Windows line endings; hidden files of the folder are ignored")
    func otherLineEnds() throws {
        try package.write("rules: {}\n", to: "Schemas/.yamllint.yml")
        try package.write(
            Sample.configuration.replacing("\n", with: "\r\n") + "# a remark\r\n", to: Sample.configurationPath)
        try package.planAnew()
        try package.buildWell()
        #expect(try package.generated(for: "Models").values.contains { $0.contains("public final class Recipe:") })
    }

    @Test("A file with a wrong name is reported")
    func candidate() throws {
        try package.remove(Sample.journalPath)
        try package.write(Sample.journal, to: "Sources/App/Journal.yaml")
        let result = try package.build()
        #expect(result.status != 0)
        #expect(result.text.contains("Rename Journal.yaml to Journal.lockstep.yaml."), "\(result.text)")
    }

    @Test("A changed configuration is never ignored")
    func changedConfiguration() throws {
        try package.buildUntilPlanned()
        try package.replace("access: public", with: "access: package", in: Sample.configurationPath)
        let result = try package.build()
        #expect(result.status != 0)
        #expect(
            result.text.contains(
                "\(package.path(Sample.configurationPath)):1:1: error: This file has changed since the build was planned"
            ),
            "\(result.text)")
        try package.planAnew()
        try package.buildWell()
        #expect(try package.generated(for: "Models").values.contains { $0.contains("package final class Recipe:") })
    }

    @Test(
        "A problem in a configuration is reported with its line, and fixed by the next build",
        arguments: [
            ("scheams: ../../Schemas\n", 1, "'scheams: ../../Schemas' is neither 'schemas: FOLDER' nor"),
            ("# where\nschemas: ../../Shcemas\n", 2, "The folder '../../Shcemas' has no .yaml or .yml file"),
            ("schemas: ../../Schemas\naccess: open\n", 2, "'access: open' is neither"),
            ("schemas: ../../Schemas\n\nschemas: ../Others\n", 3, "'schemas' is said twice."),
            ("schemas: \u{1B}[2J\n", 1, "The folder '\u{FFFD}[2J' has no .yaml or .yml file"),
        ])
    func wrongConfiguration(text: String, line: Int, message: String) throws {
        try package.write(text, to: Sample.configurationPath)
        try package.planAnew()
        let result = try package.build()
        #expect(result.status != 0)
        #expect(
            result.text.contains("\(package.path(Sample.configurationPath)):\(line):1: \(message)"), "\(result.text)")
        try package.write(Sample.configuration, to: Sample.configurationPath)
        try package.buildWell()
    }

    @Test("A target without a schema is reported with a remedy")
    func noSchema() throws {
        try package.remove(Sample.journalPath)
        let result = try package.build()
        #expect(result.status != 0)
        #expect(result.text.contains("LockstepBuildPlugin found no schema in the target 'App'"), "\(result.text)")
    }

    @Test("If the plugin is added before the first schema, 'swift run lockstep init' creates one")
    func firstSchema() throws {
        try package.remove(Sample.journalPath)
        try package.write("print(DiarySchema.self)\n", to: Sample.mainPath)
        let made = try package.swift(["run", "lockstep", "init", "Diary", "--target", "Sources/App"])
        #expect(made.status == 0, "\(made.text)")
        #expect(package.exists("Sources/App/Diary.lockstep.yaml"))
        try package.buildWell()
        #expect(try package.run().output == "DiarySchema\n")
    }

    @Test("A target that only has a schema builds after 'swift run lockstep init', and can be imported")
    func onlySchema() throws {
        try FileManager.default.createDirectory(
            atPath: package.path("Sources/Shapes"), withIntermediateDirectories: true)
        try package.add(
            target: """
                .target(
                    name: "Shapes", dependencies: [.product(name: "LockstepStore", package: "lockstep")],
                    plugins: [.plugin(name: "LockstepBuildPlugin", package: "lockstep")])
                """)
        defer { try? package.resetManifest() }
        let made = try package.swift(["run", "lockstep", "init", "Diary", "--target", "Sources/Shapes"])
        #expect(made.status == 0, "\(made.text)")
        try package.buildWell()
        #expect(package.exists(".build/debug/Modules/Shapes.swiftmodule"))
    }
}
