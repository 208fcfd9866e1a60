import Foundation
import TestSupport

/// A folder in which `lockstep` runs, with its schemas and its output.
final class Workplace: FolderOfFiles, Sendable {
    let folder: URL
    private let tool: URL

    init() throws {
        tool = try builtProduct("lockstep")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-kills-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Puts the schemas of a request there, and takes away those of another.
    func prepare(for request: Request) throws {
        for name in ["Schemas", "App"] where exists(name) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        for (path, text) in request.schemas { try write(text, to: path) }
    }

    /// Runs it.
    ///
    /// - Parameter change: the change of the disk before which it is killed.
    func run(_ request: Request, _ options: [String] = [], killAt change: Int? = nil) throws -> ProcessResult {
        var environment = ProcessInfo.processInfo.environment
        environment["LOCKSTEP_KILL_AT"] = change.map(String.init)
        return try runProcess(tool, request.arguments + options, environment: environment, in: folder)
    }

    /// Everything in the output folder, hidden files and empty folders included; those with a slash at the end.
    func output() throws -> [String: Data] {
        guard exists(Request.output) else { return [:] }
        let root = folder.appendingPathComponent(Request.output).path
        var output: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            if let names = try? FileManager.default.contentsOfDirectory(atPath: root + "/" + path) {
                if names.isEmpty { output[path + "/"] = Data() }
            } else {
                output[path] = try Data(contentsOf: URL(fileURLWithPath: root + "/" + path))
            }
        }
        return output
    }

    func writeOutput(_ files: [String: Data]) throws {
        for (path, data) in files { try write(String(decoding: data, as: UTF8.self), to: Request.output + "/" + path) }
    }

    /// Which file each path is: it stays the same as long as nobody writes it anew.
    func identities() throws -> [String: UInt64] {
        guard exists(Request.output) else { return [:] }
        var identities: [String: UInt64] = [:]
        for path in try files(below: Request.output) {
            let file = folder.appendingPathComponent(Request.output + "/" + path).path
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            identities[path] = attributes[.systemFileNumber] as? UInt64
        }
        return identities
    }
}

/// What a fresh run makes in an empty folder, by request; each is run once.
public final class FreshOutputs: Sendable {
    private let known = Known()

    public init() {}

    func output(of request: Request) async throws -> [String: Data] {
        if let output = await known.outputs[request] { return output }
        let workplace = try Workplace()
        try workplace.prepare(for: request)
        let result = try workplace.run(request)
        guard result.status == 0 else { throw KillFailure("a fresh run failed: \(result.text)") }
        let output = try workplace.output()
        await known.add(output, of: request)
        return output
    }

    private actor Known {
        var outputs: [Request: [String: Data]] = [:]
        func add(_ output: [String: Data], of request: Request) { outputs[request] = output }
    }
}

/// What is not as it must be after a kill.
public struct KillFailure: Error, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}
