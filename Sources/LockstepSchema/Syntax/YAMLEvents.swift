internal import CLibYAML

/// libyaml's stream of events over bytes in memory.
struct YAMLEvents: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let event: UnsafeMutablePointer<yaml_event_t>

    /// The event that `advance` read last. Its pointers are valid until the next `advance`.
    var current: yaml_event_t { _read { yield event.pointee } }

    /// Reads `bytes`, which must stay valid for the lifetime of this value.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        parser = .allocate(capacity: 1)
        event = .allocate(capacity: 1)
        event.initialize(to: yaml_event_t())
        precondition(yaml_parser_initialize(parser) == 1, "libyaml could not allocate memory for its parser")
        // Otherwise, libyaml would infer UTF-16 from the first bytes; a schema is UTF-8.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_event_delete(event)
        event.deallocate()
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Reads the next event; `false` if libyaml rejects the text.
    func advance() -> Bool {
        yaml_event_delete(event)
        return yaml_parser_parse(parser, event) == 1
    }

    /// Why `advance` returned `false`.
    var failure: YAMLFailure {
        YAMLFailure(
            isEncoding: parser.pointee.error == YAML_READER_ERROR,
            problem: parser.pointee.problem.map { String(cString: $0) } ?? "libyaml ran out of memory",
            mark: SourcePosition(parser.pointee.problem_mark),
            byteOffset: Int(parser.pointee.problem_offset),
            context: parser.pointee.context.map { String(cString: $0) },
            contextMark: SourcePosition(parser.pointee.context_mark))
    }
}

/// libyaml's description of a text that it rejects.
struct YAMLFailure {
    /// Whether it could not even decode the text, in which case `byteOffset` is the location. Otherwise `mark` is.
    var isEncoding: Bool
    var problem: String
    var mark: SourcePosition
    var byteOffset: Int
    /// The operation: "while parsing a flow sequence".
    var context: String?
    var contextMark: SourcePosition
}

extension SourcePosition {
    /// libyaml counts from 0, diagnostics from 1.
    init(_ mark: yaml_mark_t, file: Int = 0) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
        if file > 0 { self.file = file }
    }
}
