import Foundation
import TestSupport
import Testing

extension BuildPluginTests {
    @Test("A schema that is new in a folder outside the target stops the build with what to do, which helps")
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

    @Test("A changed configuration is never passed over")
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
        "What is wrong with a configuration is told with its line, and mended by the next build",
        arguments: [
            ("scheams: ../../Schemas\n", 1, "'scheams: ../../Schemas' is neither 'schemas: FOLDER' nor"),
            ("# where\nschemas: ../../Shcemas\n", 2, "The folder '../../Shcemas' has no .yaml or .yml file"),
            ("schemas: ../../Schemas\naccess: open\n", 2, "'access: open' is neither"),
        ])
    func wrongConfiguration(text: String, line: Int, message: String) throws {
        try package.write(text, to: Sample.configurationPath)
        try package.planAnew()
        let result = try package.build()
        #expect(result.status != 0)
        #expect(result.text.contains("\(package.path(Sample.configurationPath)):\(line): \(message)"), "\(result.text)")
        try package.write(Sample.configuration, to: Sample.configurationPath)
        try package.buildWell()
    }

    @Test("A target without a schema is told what to add")
    func noSchema() throws {
        try package.remove(Sample.journalPath)
        let result = try package.build()
        #expect(result.status != 0)
        #expect(result.text.contains("LockstepBuildPlugin found no schema in the target 'App'"), "\(result.text)")
    }
}
