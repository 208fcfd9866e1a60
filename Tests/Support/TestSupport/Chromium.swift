public import Foundation

/// A browser without a window, in which tests look at pages. Its network is cut off.
///
/// If no Chromium is installed, the suites that need it report that and are skipped; with `CI=true`, they fail.
public enum Chromium {
    /// `nil` if none is installed.
    private static let executable: URL? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let names = ["chromium", "chromium-browser", "google-chrome"]
        let candidates =
            path.split(separator: ":").flatMap { folder in names.map { "\(folder)/\($0)" } } + [
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            ]
        let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
        if found == nil { print("Chromium is not installed: the tests that open pages in it are skipped.") }
        return found.map { URL(fileURLWithPath: $0) }
    }()

    /// Whether the suites run: also without a browser if one is required, so that they fail.
    public static var isWanted: Bool {
        executable != nil || ProcessInfo.processInfo.environment["CI"] == "true"
    }

    /// The elements of a page after its scripts have run, as HTML.
    ///
    /// - Parameters:
    ///   - page: The contents of the file.
    ///   - fragment: What follows `#` in the address, with percent encoding.
    /// - Throws: ``BrowserFailure`` if there is no browser, or if it fails.
    public static func elements(of page: String, fragment: String = "") throws -> String {
        try run(on: page, fragment: fragment, ["--dump-dom"]).output
    }

    /// A picture of the page in a window of this size, as a PNG file.
    public static func picture(of page: String, width: Int, height: Int, to file: URL) throws {
        _ = try run(on: page, fragment: "", ["--screenshot=\(file.path)", "--window-size=\(width),\(height)"])
    }

    private static func run(on page: String, fragment: String, _ options: [String]) throws -> ProcessResult {
        guard let executable else { throw BrowserFailure(text: "Chromium is not installed, and CI is true") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("page.html")
        try Data(page.utf8).write(to: file)
        let address = file.absoluteString + (fragment.isEmpty ? "" : "#" + fragment)
        let result = try runProcess(
            executable, general + ["--user-data-dir=\(folder.path)/profile"] + options + [address], in: folder)
        guard result.status == 0 else { throw BrowserFailure(text: result.text) }
        return result
    }

    /// No name resolves, and no proxy responds.
    private static let general = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9", "--disable-background-networking",
        "--no-first-run",
    ]
}

/// A page could not be opened in a browser.
public struct BrowserFailure: Error {
    public var text: String
}
