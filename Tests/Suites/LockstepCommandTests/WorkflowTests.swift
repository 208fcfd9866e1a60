import Foundation
import TestSupport
import Testing

/// The hosted workflow cannot run here, but its references can be checked.
@Suite("The hosted workflow")
struct WorkflowTests {
    private let workflow: String
    private let makefile: String
    private let package: String

    init() throws {
        workflow = try Documentation.text(of: ".github/workflows/ci.yml")
        makefile = try Documentation.text(of: "Makefile")
        package = try Documentation.text(of: "Package.swift")
    }

    @Test("runs on Linux and macOS what the script of CI runs")
    func targets() throws {
        let names = workflow.matches(of: /(?m)^ +- run: make ([a-z-]+)$/).map { String($0.1) }
        for name in names {
            #expect(makefile.contains("\n\(name):"), "\(name)")
        }
        let script = try Documentation.text(of: ".ci/run")
        let steps = script.matches(of: /(?m)^make ([a-z-]+)/).map { String($0.1) }
        #expect(steps == ["test", "test-packages", "check", "apple", "sqlite"])
        // There, all seeds are tried on Linux. The last two steps are for Linux.
        #expect(names == ["test-all"] + steps.dropFirst(2) + steps.prefix(3) + ["setup"])
    }

    @Test("builds library products of the package for iOS")
    func products() throws {
        let list = try #require(workflow.firstMatch(of: /product: \[([^\]]+)\]/)).1
        let products = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(!products.isEmpty)
        for product in products {
            #expect(package.contains(".library(name: \"\(product)\""), "\(product)")
        }
    }

    @Test("pins the major version of each action")
    func actions() {
        let actions = workflow.matches(of: /uses: (.+)/).map { String($0.1) }
        #expect(!actions.isEmpty)
        for action in actions {
            #expect(action.contains(/^[\w-]+\/[\w-]+@v\d+$/), "\(action)")
        }
    }
}
