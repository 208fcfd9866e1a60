/// Another generator.
struct Peer: Sendable {
    let name: String
    /// What `make-schema --language` and the options here call the language of its schemas.
    let language: String
    /// What the line has that a type of an entity begins with, and no other line.
    let typeMark: String
    /// What the line has that numbers a field, and no other line.
    let fieldMark: String
    /// Generates from a file of a folder into another folder.
    let command: @Sendable (_ source: Source, _ output: String) -> [String]

    /// A schema in its language.
    struct Source: Sendable {
        let path: String
        var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
    }

    static let all = [
        Peer(
            name: "protoc, C++", language: "protobuf", typeMark: " final :", fieldMark: "FieldNumber = ",
            command: { ["protoc", "--proto_path=\($0.folder)", "--cpp_out=\($1)", $0.path] }),
        Peer(
            name: "flatc, Swift", language: "flatbuffers", typeMark: ": FlatBufferObject", fieldMark: "    case ",
            command: { ["flatc", "--swift", "-o", $1, $0.path] }),
    ]
}
