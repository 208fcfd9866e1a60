import Foundation
import TestSupport
import Testing

@testable import upkeep

/// The faults that `make mutants` switches on, one for each numbered rule of Rules.md.
struct MutantTests {
    @Test("Each numbered rule has one fault that breaks it")
    func eachRuleHasOne() throws {
        let page = Documentation.root.appendingPathComponent("Sources/LockstepSync/LockstepSync.docc/Rules.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let numbers = text.matches(of: #/\*\*([A-Z][0-9]+(?:\.[0-9]+)?)[ *:]/#).map { String($0.1) }
        try #require(numbers.count > 150)
        // Those with parts promise nothing beside them.
        let groups = Set(numbers.filter { $0.contains(".") }.map { $0.prefix { $0 != "." } })
        let rules = numbers.filter { !groups.contains(Substring($0)) }
        #expect(try Mutant.all(of: Documentation.root).map(\.rule).sorted() == rules.sorted())
    }

    @Test("What a fault replaces is in its file exactly once")
    func eachIsInItsFile() throws {
        for (file, mutants) in Dictionary(grouping: try Mutant.all(of: Documentation.root), by: \.file) {
            let text = try String(contentsOf: Documentation.root.appendingPathComponent(file), encoding: .utf8)
            var source = MutatedSource(text)
            #expect(throws: Never.self) { try source.add(mutants) }
            let isChanged = source.text != text
            #expect(isChanged, "\(file)")
        }
    }

    @Test("The files are still Swift with their faults")
    func areSwift() async throws {
        let mutants = try Mutant.all(of: Documentation.root)
        try await withTemporaryFolder { folder in
            let files = Set(mutants.map(\.file)).sorted()
            for file in files {
                let copy = folder.appendingPathComponent(file)
                try FileManager.default.createDirectory(
                    at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            try mutants.write(package: Documentation.root, to: folder)
            let result = try runProcess(
                URL(fileURLWithPath: "/usr/bin/env"), ["swiftc", "-parse"] + files, in: folder)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test("Each fault is described in one sentence, and changes something")
    func eachIsDescribed() throws {
        for mutant in try Mutant.all(of: Documentation.root) {
            #expect(mutant.fault.hasSuffix("."), "\(mutant.rule)")
            #expect(mutant.original != mutant.replacement, "\(mutant.rule)")
        }
    }

    @Test("A fault is switched on by the number of its rule")
    func switches() throws {
        let mutants = try Mutant.read(
            """
            # A comment.
            rule P6
            fault A delete fails.
            file A.swift
            expression status == 404
              || status == 410
            becomes false

            rule P7.1
            fault It never waits.
            file A.swift
            statement wait()
            becomes
            """, path: "A.mutants")
        #expect(mutants.map(\.rule) == ["P6", "P7.1"])
        var source = MutatedSource("if status == 404\n    || status == 410 {}\nwait()\n")
        try source.add(mutants)
        #expect(source.text.contains("(isMutant(\"P6\") ? (false) : (status == 404\n    || status == 410)) {}"))
        #expect(source.text.contains("if isMutant(\"P7.1\") {  } else { wait() }"))
    }

    @Test("A description that names nothing is an error with its line")
    func malformed() {
        #expect(throws: Mutant.Malformed.self) { try Mutant.read("rule P6\nline 4", path: "A.mutants") }
        #expect(throws: Mutant.Malformed.self) {
            var source = MutatedSource("a b a")
            try source.add([Mutant(rule: "P6", file: "A.swift", original: "a", replacement: "c")])
        }
    }

    @Test("The tests of a rule are those whose names begin with its number, or those of their suites")
    func rules() {
        let tests = RuleTests(
            """
            @Suite("V1–V3, V5: Migrations")
            struct Migrations {
                @Test("P7.3 P8 It waits")
                func waits() {}

                @Test func other() {}
            }
            """)
        #expect(tests.identifiers["V2"] == ["Migrations/waits", "Migrations/other"])
        #expect(tests.identifiers["V4"] == nil)
        #expect(tests.identifiers["P8"] == ["Migrations/waits"])
        #expect(tests.filter(of: "P7.3") == "Migrations/waits\\(")
    }
}
