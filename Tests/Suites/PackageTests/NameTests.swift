import Foundation
import TestSupport
import Testing

/// Files as people write them, with modules that have names of their own.
@Suite("Lockstep's names do not collide", SharedModules())
struct NameTests {
    private static let modules = [
        "Tables", "Store", "Values", "JSON", "HTTP", "MergeEngine", "Merge", "Remotes", "Sync", "Report", "Testing",
        "UI",
    ]

    @Test(
        "A file compiles as people write it",
        arguments: [
            "Screens.swift",  // SwiftUI, WidgetKit and Combine
            "DiaryTests.swift",  // Swift Testing
            "Features.swift",  // the Composable Architecture
            // If a file writes the type of a store and another module has a `Store`, too: either of these.
            "Stores.swift", "ImportedStore.swift",
        ])
    func file(name: String) throws {
        for features in [[], ["-enable-upcoming-feature", "MemberImportVisibility"]] {
            let result = try SharedModules.check([Fixtures.file("Names/\(name)")], features)
            #expect(result.status == 0, "\(features)\n\(result.text)")
        }
    }

    @Test("Of the types of Lockstep, only Store is ambiguous beside the other modules")
    func types() async throws {
        let (types, appleTypes) = (try Self.publicTypes(), try Self.publicTypes(areConditional: true))
        #expect(types.count > 150)
        #expect(appleTypes.isSuperset(of: ["Results", "LiveRecord", "Representations", "SyncState"]))
        try await withTemporaryFolder { folder in
            // Modules of Linux lack the types that only Apple platforms have. Here, their names matter.
            let names = folder.appendingPathComponent("Names.swift")
            try Data(appleTypes.map { "public struct \($0) {}\n" }.joined().utf8).write(to: names)
            let made = try SwiftCompiler().makeModule("AppleTypes", of: [names], [], in: folder)
            try #require(made.status == 0, "\(made.text)")
            let imports = [
                "AppleTypes", "Combine", "ComposableArchitecture", "LockstepReport", "LockstepSync", "LockstepTesting",
                "LockstepUI", "SwiftUI", "Testing",
            ]
            let aliases = types.union(appleTypes).sorted().map { "typealias My\($0) = \($0)" }
            let lines = imports.map { "import \($0)" } + aliases
            let file = folder.appendingPathComponent("Types.swift")
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            let result = try SharedModules.check([file], ["-I", folder.path])
            let errors = result.text.matches(of: /(?m)^\S+: error: (.*)$/).map { String($0.output.1) }
            #expect(errors == ["'Store' is ambiguous for type lookup in this context"], "\(result.text)")
        }
    }

    /// Swift looks for a type in modules before it looks into the protocols of the type in which it is named. So a type
    /// `Context` of ours would be the one meant in each `UIViewRepresentable` of a file that imports it.
    @Test("No type of Lockstep is called like a type that a protocol of SwiftUI, WidgetKit or Combine declares")
    func membersOfProtocols() throws {
        let members: Set = [
            "AnimatableData", "Body", "Cache", "Configuration", "Content", "Context", "Coordinator", "Element", "Entry",
            "Failure", "ID", "Input", "Intent", "Iterator", "NSViewControllerType", "NSViewType", "Output",
            "ReadConfiguration", "RowValue", "Snapshot", "Style", "Subviews", "TableRowBody", "TableRowValue",
            "UIViewControllerType", "UIViewType", "Value", "WriteConfiguration",
        ]
        let types = try Self.publicTypes().union(Self.publicTypes(areConditional: true))
        #expect(types.intersection(members) == [])
    }

    /// The public types of the modules that an app and its tests import, without those in other types.
    ///
    /// - Parameter areConditional: Whether to return those that are declared within `#if`: only Apple platforms have
    ///   them.
    private static func publicTypes(areConditional: Bool = false) throws -> Set<String> {
        let type = /( *)(?:@\w+ )*public (?:final |indirect )?(?:class|struct|enum|protocol|actor) (\w+)/
        var types: Set<String> = []
        for module in modules {
            let folder = Documentation.root.appendingPathComponent("Sources/Lockstep\(module)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            for path in paths where path.hasSuffix(".swift") {
                var depth = 0
                let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
                for line in text.split(separator: "\n") {
                    let code = line.drop { $0 == " " }
                    if code.hasPrefix("#if ") { depth += 1 }
                    if code.hasPrefix("#endif") { depth -= 1 }
                    guard let match = line.prefixMatch(of: type), match.output.1.count == 4 * depth else { continue }
                    if areConditional == (depth > 0) { types.insert(String(match.output.2)) }
                }
            }
        }
        return types
    }
}
