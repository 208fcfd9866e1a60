import Foundation

/// Meets servers of every bad kind, each in a process of its own, and prints how that ended, what memory and what time
/// it took: `workbench hostile [NAME…]`.
struct Hostile {
    /// What goes on by itself is cancelled after this.
    private static let followSeconds = 15.0

    static func main(_ arguments: ArraySlice<String>) async throws {
        let arguments = Array(arguments)
        if arguments.count == 3, arguments[0] == "--meet", let hostility = Hostility(rawValue: arguments[1]),
            let port = Int(arguments[2])
        {
            return try await meet(hostility, port: port)
        }
        let chosen = arguments.isEmpty ? Hostility.allCases : arguments.compactMap(Hostility.init)
        guard arguments.isEmpty || chosen.count == arguments.count else {
            print("hostile: the kinds are \(Hostility.allCases.map(\.rawValue).joined(separator: " "))")
            exit(2)
        }
        print("| server | how it ended | seconds | memory, MB | files left |\n| --- | --- | ---: | ---: | --- |")
        for hostility in chosen { try report(hostility) }
    }

    /// Runs the client as a process, so that its memory is its own.
    private static func report(_ hostility: Hostility) throws {
        let server = try HostileServer(hostility, .full)
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["hostile", "--meet", hostility.rawValue, String(server.port)]
        // All that it makes lies there.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = output.split(separator: "\n").last.map(String.init) ?? "exit \(process.terminationStatus) | |"
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "store" }
        print("| \(hostility.rawValue) | \(line) | \(left.isEmpty ? "none" : left.joined(separator: " ")) |")
        fflush(nil)
    }

    private static func meet(_ hostility: Hostility, port: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let start = Date()
        let ending = try await Meeting(hostility, .full, port: port, folder: folder).run {
            // What is measured is what following a stream for this long takes.
            try await Task.sleep(for: .seconds(followSeconds))
        }
        let seconds = Date().timeIntervalSince(start)
        print("\(ending) | \(String(format: "%.1f", seconds)) | \(mostMemoryBytes() >> 20)")
    }

    private static func mostMemoryBytes() -> Int {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            getrusage(RUSAGE_SELF.rawValue, &usage)
            return usage.ru_maxrss * 1024
        #endif
    }
}
