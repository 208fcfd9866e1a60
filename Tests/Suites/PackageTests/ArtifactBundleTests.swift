import Foundation
import TestSupport
import Testing

extension BuildPluginTests {
    @Test("With the package of make artifact-bundle, a user's package needs no libyaml, and builds only the runtime")
    func artifactBundle() throws {
        let tool = URL(fileURLWithPath: "/usr/bin/env")
        // To optimize the tool would take minutes.
        let made = try runProcess(
            tool, ["Scripts/artifact-bundle", package.path("lockstep-plugin"), "-Xswiftc", "-Onone"],
            in: Documentation.root)
        try #require(made.status == 0, "\(made.text)")
        defer { for path in ["lockstep-plugin", ".build-prebuilt"] { try? package.remove(path) } }
        let bundle = "lockstep-plugin/lockstep-emit.artifactbundle"
        let emit = try #require(try package.paths(below: bundle).first { $0.hasSuffix("/bin/lockstep-emit") })
        #if os(Linux)
            let libraries = try runProcess(tool, ["ldd", package.path(emit)], in: package.folder)
            #expect(libraries.status == 0 && libraries.output.contains("libc.so"), "\(libraries.text)")
            #expect(!libraries.output.contains("yaml") && !libraries.output.contains("swift"), "\(libraries.text)")
        #endif

        try package.replace(
            #"from: "1.0.0")"#, with: #"from: "1.0.0"), .package(path: "lockstep-plugin")"#, in: "Package.swift")
        try package.replace(
            #".plugin(name: "LockstepBuildPlugin", package: "lockstep")"#,
            with: #".plugin(name: "LockstepPrebuiltPlugin", package: "lockstep-plugin")"#, in: "Package.swift")
        defer { try? package.resetManifest() }
        // A folder of its own for the build: the one of the other tests has the tool's modules.
        let result = try package.build("--scratch-path", package.path(".build-prebuilt"))
        #expect(result.status == 0, "\(result.text)")
        #expect(!result.text.contains("warning:"), "\(result.text)")
        let program = package.folder.appendingPathComponent(".build-prebuilt/debug/App")
        #expect(try runProcess(program, [], in: package.folder).output == "Hello happy Recipe: Soup\n")
        // SwiftPM plans the tool of the other plugin, too, but does not compile it.
        let modules = try package.paths(below: ".build-prebuilt/debug/Modules", ".build-prebuilt/debug/Modules-tool")
            .filter { $0.hasSuffix(".swiftmodule") }.map { URL(fileURLWithPath: $0).lastPathComponent }
        #expect(modules.contains("LockstepStore.swiftmodule"))
        let ofTool = ["LockstepGenerator", "LockstepReview", "LockstepSchema", "lockstep_emit"]
        #expect(modules.filter { ofTool.contains(String($0.dropLast(".swiftmodule".count))) } == [])
        // Schemas are in the targets' folders, and in no bundle.
        let copied = try package.paths(below: ".build-prebuilt/debug").filter { $0.hasSuffix(".yaml") }
        #expect(copied.allSatisfy { !$0.contains("lockstep.yaml") && !$0.contains("Recipes") }, "\(copied)")
    }
}
