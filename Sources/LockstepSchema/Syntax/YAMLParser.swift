/// Parses one YAML document into a tree. `nil` with a diagnostic if there is none, if libyaml or a limit stopped the
/// parsing, or if a value was unreadable that the grammar needs.
///
/// - Parameter file: The number of the file that the ranges of the nodes have: see ``SourcePosition/file``.
package func parseYAML(_ source: SchemaSource, file: Int = 0, diagnostics: inout [Diagnostic]) -> Node? {
    guard !source.isTooLarge else {
        diagnostics.append(.fileTooLarge(source))
        return nil
    }
    let offset = byteOrderMarkCount(source.bytes)
    return source.bytes.withUnsafeBufferPointer { bytes -> Node? in
        let text = UnsafeBufferPointer(rebasing: bytes[offset...])
        var builder = TreeBuilder(path: source.path, file: file, events: YAMLEvents(text))
        let paths = Array(repeating: source.path, count: file + 1)
        defer { diagnostics += builder.diagnostics.map { $0.located(in: paths) } }
        do throws(ReadingStop) {
            return try builder.document()
        } catch {
            switch error {
            case .refused(let failure):
                let byteOffset = offset + failure.byteOffset
                builder.diagnostics.append(.refused(failure, in: source, byteOffset: byteOffset))
            case .limit(let diagnostic):
                builder.diagnostics.append(diagnostic)
            }
        }
        return nil
    }
}

/// Stops the reading of a file.
enum ReadingStop: Error {
    case refused(YAMLFailure)
    case limit(Diagnostic)
}
