import Foundation
import TestSupport
import Testing

@Suite("lockstep check --compatible-with")
struct CompatibilityTests {
    private static func journal(
        _ attributes: String = "bodyText: string?", version: Int = 1, header: String = ""
    ) -> String {
        """
        lockstep: 1
        schema: Journal
        version: \(version)
        \(header)
        entities:
          Entry:
            attributes:
              id: int
              title: string
              \(attributes)
            remote: { path: /entries }

        """
    }

    private static let path = "Schemas/Journal.yaml"

    /// A folder with version 1 released, and a copy of its history.
    private static func released() throws -> CommandLineTool {
        let tool = try CommandLineTool()
        try tool.write(journal(), to: path)
        #expect(try tool.run("migrate", "--from", path).status == 0)
        #expect(try tool.run("migrate", "--release").status == 0)
        try tool.write(try tool.read("Schemas/Journal.history.yaml"), to: "Old/Journal.history.yaml")
        return tool
    }

    @Test("A rename is reported where the attribute is, with the versions, and says who is released first")
    func rename() throws {
        let tool = try Self.released()
        try tool.write(Self.journal("text: string?"), to: Self.path)
        let migrated = try tool.run("migrate", "--name", "text", "--rename", "Entry.bodyText=text")
        #expect(migrated.status == 0, "\(migrated.errors)")
        let result = try tool.run("check", "--compatible-with", "Old/Journal.history.yaml")
        #expect(result.status == 0, "\(result.errors)")
        let line = "Schemas/Journal.yaml:10:7: warning: "
        #expect(
            result.errors.contains(
                line + "Apps of version 1 send 'bodyText'; a server made for version 2 may not read it "
                    + "[wire-key-changed]"), "\(result.errors)")
        #expect(result.errors.contains("help: To go on as before, write 'key: bodyText'."))
        #expect(
            result.errors.hasSuffix(
                """
                Journal 2: store ok (version 1 open, 1 instant) · wire: new app ← old server 1 · \
                old app ← new server 1 · new app → old server 1 · old app → new server 1
                The server and the app can be released in any order. Check what the warnings say of the server and of \
                the values.

                """), "\(result.errors)")
    }

    @Test("With formerKeys, what old servers send is read")
    func formerKeys() throws {
        let tool = try Self.released()
        try tool.write(Self.journal("text: { type: string?, formerKeys: [bodyText] }"), to: Self.path)
        #expect(try tool.run("migrate", "--name", "text", "--rename", "Entry.bodyText=text").status == 0)
        let result = try tool.run("check", "--compatible-with", "Old/Journal.history.yaml", "--only", "wire")
        #expect(result.errors.contains("Journal 2: wire: new app ← old server 0 · old app ← new server 1"))
    }

    @Test("An attribute that becomes readOnly is recorded, and apps of that version do not write it")
    func readOnly() throws {
        let tool = try Self.released()
        try tool.write(Self.journal("bodyText: { type: string?, readOnly: true }"), to: Self.path)
        let migrated = try tool.run("migrate", "--name", "server text")
        #expect(migrated.status == 0, "\(migrated.errors)")
        #expect(try tool.read("Schemas/Journal.history.yaml").contains("readOnly"))
        #expect(try tool.run("check").status == 0)
        let result = try tool.run("check", "--compatible-with", "Old/Journal.history.yaml", "--only", "wire")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("new app → old server 0"), "\(result.errors)")
    }

    @Test("What breaks is an error, also before it is recorded")
    func breaking() throws {
        let tool = try Self.released()
        try tool.write(Self.journal("site: int"), to: "Schemas/Journal.yaml")
        let result = try tool.run("check", "--compatible-with", "Old/Journal.history.yaml", "--only", "wire")
        #expect(result.status == 1)
        #expect(result.errors.contains("error: Apps of the next version skip records without 'site'"))
        #expect(result.errors.contains("[unrecorded-change]"))
        #expect(result.errors.contains("Neither order is safe"))
    }

    @Test("A schema without a history is compared by names, and machine-readable findings are one array")
    func schemaFile() throws {
        let tool = try CommandLineTool()
        try tool.write(Self.journal(), to: "Server/Journal.yaml")
        try tool.write(Self.journal("bodyText: int?"), to: Self.path)
        let result = try tool.run(
            "check", "--compatible-with", "Server/Journal.yaml", "--only", "wire", "--diagnostics", "json")
        #expect(result.status == 1)
        let findings = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        let codes = findings.compactMap { $0["code"] as? String }.filter { $0 != "never-recorded" }
        #expect(Set(codes) == ["wire-type-changed"] && codes.count == 4)
    }

    @Test("A revision of Git is the other side")
    func revision() throws {
        let tool = try Self.released()
        try tool.commit()
        try tool.write(Self.journal("place: string?"), to: Self.path)
        #expect(try tool.run("migrate", "--name", "place", "--remove", "Entry.bodyText").status == 0)
        let result = try tool.run("check", "--compatible-with", "main")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("Journal 2: store ok (version 1 open, 1 rewrite)"), "\(result.errors)")
        let missing = try tool.run("check", "--compatible-with", "nowhere")
        #expect(missing.status == 2)
        #expect(missing.errors.contains("no revision of that name"))
    }

    @Test("A history that this one does not continue is a fork")
    func fork() throws {
        let tool = try Self.released()
        try tool.write(Self.journal("place: string?"), to: Self.path)
        #expect(try tool.run("migrate", "--name", "place", "--remove", "Entry.bodyText").status == 0)
        try tool.write(try tool.read("Schemas/Journal.history.yaml"), to: "Other/Journal.history.yaml")
        try tool.write(Self.journal("mood: string?"), to: Self.path)
        #expect(try tool.run("migrate", "--amend", "--name", "mood", "--remove", "Entry.bodyText").status == 0)
        let result = try tool.run("check", "--compatible-with", "Other/Journal.history.yaml")
        #expect(result.status == 1)
        #expect(result.errors.contains("version 2 is another one, or missing [history-forked]"), "\(result.errors)")
    }

    @Test("compatible: full checks every supported version without an option, and nothing may depend on the server")
    func full() throws {
        let tool = try CommandLineTool()
        let header = "wire: { compatible: full }"
        try tool.write(Self.journal(header: header), to: Self.path)
        #expect(try tool.run("migrate", "--from", Self.path).status == 0)
        #expect(try tool.run("migrate", "--release").status == 0)
        #expect(try tool.run("check").status == 0)
        try tool.write(Self.journal("text: string?", header: header), to: Self.path)
        #expect(try tool.run("migrate", "--name", "text", "--rename", "Entry.bodyText=text").status == 0)
        let result = try tool.run("check")
        #expect(result.status == 1)
        #expect(result.errors.contains("error: Apps of version 1 send 'bodyText'"), "\(result.errors)")
        // No app of version 1 is supported any more.
        try tool.write(
            try tool.read(Self.path).replacing("version: 2", with: "version: 2\noldest: 2"), to: Self.path)
        #expect(try tool.run("check").status == 0)
    }

    @Test("A released version that the history has forgotten is too old, unless it is not supported any more")
    func squashed() throws {
        let tool = try Self.released()
        try tool.write(Self.journal("place: string?"), to: Self.path)
        #expect(try tool.run("migrate", "--name", "place", "--remove", "Entry.bodyText").status == 0)
        #expect(try tool.run("migrate", "--release").status == 0)
        try tool.write(try tool.read("Schemas/Journal.history.yaml"), to: "Old/Journal.history.yaml")
        let squashed = try tool.run("migrate", "--squash", "2")
        #expect(squashed.status == 0, "\(squashed.errors)")
        let result = try tool.run("check", "--compatible-with", "Old/Journal.history.yaml")
        #expect(result.status == 1)
        #expect(result.errors.contains("Files of version 1 cannot be opened"), "\(result.errors)")
        let later = try tool.run("check", "--compatible-with", "Old/Journal.history.yaml", "--oldest", "2")
        #expect(later.status == 0, "\(later.errors)")
    }

    @Test("Wrong options are wrong use")
    func wrongUse() throws {
        let tool = try Self.released()
        #expect(try tool.run("check", "--only", "disk").status == 2)
        #expect(try tool.run("check", "--oldest", "0").status == 2)
    }
}
