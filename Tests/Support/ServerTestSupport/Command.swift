import Foundation

/// A command that failed.
package struct CommandFailure: Error, CustomStringConvertible {
    package var command: String
    package var output: String

    package init(command: String, output: String) { (self.command, self.output) = (command, output) }

    package var description: String { "\(command): \(output)" }
}

/// Runs a command to its end.
///
/// Not with Foundation's `Process`: on Linux, that waits for every process that the command leaves behind, and so for
/// as long as a server runs.
///
/// - Returns: The output of the command.
/// - Throws: `CommandFailure` with the output, if the status is not 0.
@discardableResult
package func runCommand(_ command: String, _ arguments: [String], input: String = "") throws -> String {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    // Files, not pipes: a server that the command starts would keep a pipe open.
    try Data(input.utf8).write(to: URL(fileURLWithPath: scratch + "/input"))
    let status = try spawn(command, arguments, scratch: scratch)
    let texts = try ["output", "errors"].map { try String(contentsOfFile: "\(scratch)/\($0)", encoding: .utf8) }
    guard status == 0 else { throw CommandFailure(command: command, output: texts[1] + texts[0]) }
    return texts[0]
}

/// - Returns: The status of `waitpid`, 0 on success.
private func spawn(_ command: String, _ arguments: [String], scratch: String) throws -> Int32 {
    let actions = allocated(by: posix_spawn_file_actions_init)
    defer {
        posix_spawn_file_actions_destroy(actions)
        actions.deallocate()
    }
    let environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { environment.forEach { free($0) } }
    posix_spawn_file_actions_addopen(actions, 0, scratch + "/input", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(actions, 1, scratch + "/output", O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(actions, 2, scratch + "/errors", O_WRONLY | O_CREAT, 0o600)
    var words = ([command] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, command, actions, nil, &words, environment)
    guard failure == 0 else { throw CommandFailure(command: command, output: String(cString: strerror(failure))) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    return status
}

/// A value on the heap, of the type that a function of C initializes: on Darwin, some are optional pointers.
private func allocated<Value>(by initialize: (UnsafeMutablePointer<Value>) -> Int32) -> UnsafeMutablePointer<Value> {
    let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    _ = initialize(value)
    return value
}
