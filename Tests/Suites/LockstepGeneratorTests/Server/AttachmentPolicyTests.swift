import LockstepSchema
import ServerTestSupport
import Testing

@Suite("Who reads the files of attachments", .enabled(if: PostgreSQLServer.isWanted))
struct AttachmentPolicyTests {
    private static let hash = String(repeating: "ab", count: 32)
    private static let other = String(repeating: "cd", count: 32)

    /// What Supabase Storage has of its objects.
    private static let storage = """
        CREATE SCHEMA storage;
        CREATE TABLE storage.objects (bucket_id text, name text);
        ALTER TABLE storage.objects ENABLE ROW LEVEL SECURITY;
        GRANT USAGE ON SCHEMA storage TO PUBLIC;
        GRANT SELECT, INSERT, UPDATE, DELETE ON storage.objects TO authenticated, anon;
        INSERT INTO storage.objects VALUES ('lockstep', '\(hash)'), ('lockstep', '\(other)'), ('avatars', '\(hash)');
        """

    private static func schema() throws -> Schema {
        let text = """
            lockstep: 1
            schema: Photos
            entities:
              Photo:
                scope: owner
                attributes: { id: uuid, owner: uuid, image: { type: data?, attachment: true } }

            """
        let reading = readSchemas([SchemaSource(path: "Photos.yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.map(\.message) == [])
        return try #require(reading.schemas.first)
    }

    @Test("Those who read a record that refers to it; every user adds one by its hash, and nobody changes one")
    func policies() throws {
        // Without Storage, the file makes a server, too.
        let feed = try PostgreSQLFeed(try Self.schema())
        let admin = try feed.session()
        try admin.rows(Self.storage)
        defer { _ = try? admin.rows("DROP SCHEMA storage CASCADE;") }
        try feed.makeServer(try Self.schema())
        try admin.rows(
            "INSERT INTO photo VALUES ('\(uuid(1))', '\(PostgreSQLFeed.User.ann.rawValue)', 'sha256-\(Self.hash)-7');")
        let names = "SELECT bucket_id, name FROM storage.objects;"
        let (ann, ben) = (try feed.session(of: .ann), try feed.session(of: .ben))
        let nobody = try feed.session(of: nil)
        #expect(try ann.rows(names) == ["lockstep|\(Self.hash)"])
        #expect(try ben.rows(names) == [])
        #expect(try nobody.rows(names) == [])
        let new = String(repeating: "0", count: 64)
        try ben.rows("INSERT INTO storage.objects VALUES ('lockstep', '\(new)');")
        for name in ["'lockstep', 'photo.jpg'", "'lockstep', '\(new)/x'", "'avatars', '\(new)'"] {
            #expect(throws: CommandFailure.self) { try ben.rows("INSERT INTO storage.objects VALUES (\(name));") }
        }
        #expect(throws: CommandFailure.self) {
            try nobody.rows("INSERT INTO storage.objects VALUES ('lockstep', '\(new)');")
        }
        try ann.rows("UPDATE storage.objects SET name = 'x'; DELETE FROM storage.objects;")
        #expect(try admin.rows("SELECT count(*) FROM storage.objects;") == ["4"])
        try admin.rows("DELETE FROM photo;")
        #expect(try ann.rows(names) == [])
    }
}
