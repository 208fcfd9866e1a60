import Foundation
import TestSupport

/// Chromium, without a window and without a network. Tests that need it are skipped if it is not installed, except in
/// CI, where it must be.
struct Browser {
    private let executable: URL

    static var isWanted: Bool { find() != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

    /// - Throws: ``BrowserIsMissing`` if it is not installed.
    init() throws {
        guard let executable = Self.find() else { throw BrowserIsMissing() }
        self.executable = executable
    }

    private static func find() -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let names = ["chromium", "chromium-browser", "google-chrome", "chrome"]
        let inPath = path.split(separator: ":").flatMap { folder in names.map { "\(folder)/\($0)" } }
        let applications = ["Chromium", "Google Chrome"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
        return (inPath + applications).first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { URL(fileURLWithPath: $0) }
    }

    /// The elements of a page after its script has run.
    ///
    /// - Parameter fragment: What follows `#` in the address.
    func elements(of page: URL, fragment: String = "", in folder: URL) throws -> String {
        let address = page.absoluteString + (fragment.isEmpty ? "" : "#\(fragment)")
        let result = try runProcess(
            executable,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)/browser",
                "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom", address,
            ], in: folder)
        guard result.status == 0 else { throw CocoaError(.executableLoad, userInfo: ["output": result.errors]) }
        return result.output
    }
}

/// Chromium is not installed, and `CI` is true.
struct BrowserIsMissing: Error {}
