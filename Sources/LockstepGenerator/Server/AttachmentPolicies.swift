import LockstepEvolution

/// Who reads and writes the files of attachments in Supabase Storage, where a file is an object with the hash of its
/// bytes as its name.
struct AttachmentPolicies {
    let schema: ServerSchema

    /// No statement, if no entity has an attachment.
    func statements() -> [Code] {
        let columns = schema.entities.flatMap { entity in
            entity.structure.attributes.filter { $0.type == .attachment && $0.wire != nil }
                .map { (entity: entity, column: $0.column) }
        }
        if columns.isEmpty { return [] }
        let indexes = columns.map { entity, column -> Code in
            let name = entity.object("\(column)_hash")
            return """
                CREATE INDEX IF NOT EXISTS \(name: name) ON \(name: entity.table) (split_part(\(name: column), '-', 2));
                """
        }
        let references = columns.map { entity, column -> Code in
            """
            EXISTS (SELECT FROM \(name: entity.table) r WHERE split_part(r.\(name: column), '-', 2) = $1)
            """
        }
        return [.lines(indexes), refers(references).statement, policies]
    }

    private func refers(_ references: [Code]) -> ServerFunction {
        ServerFunction(
            signature: "lockstep_refers(hash text)", result: "boolean",
            comment: """
                -- Whether a record that the user reads refers to the file with this hash: `sha256-HASH-SIZE`. The
                -- policies of the tables hide the others.
                """,
            language: .plpgsql, isDefiner: false, isStable: true,
            body: """
                BEGIN
                    RETURN \(Code.joined(references, separator: " OR "));
                END
                """)
    }

    /// A file is there before the record that refers to it, so every signed-in user may add one. Devices compare what
    /// they read with the hash.
    private var policies: Code {
        """
        GRANT EXECUTE ON FUNCTION lockstep_refers(text) TO authenticated, anon;

        -- The files of attachments, in the bucket 'lockstep' of Supabase Storage, if the database has it. A signed-in
        -- user adds a file before a record refers to it, and nobody changes one. Devices compare a file with its hash.
        DO $lockstep$ BEGIN
            IF to_regclass('storage.objects') IS NULL THEN
                RETURN;
            END IF;
            DROP POLICY IF EXISTS lockstep_select ON storage.objects;
            DROP POLICY IF EXISTS lockstep_insert ON storage.objects;
            CREATE POLICY lockstep_select ON storage.objects FOR SELECT TO authenticated, anon
                USING (bucket_id = 'lockstep' AND lockstep_refers(name));
            CREATE POLICY lockstep_insert ON storage.objects FOR INSERT TO authenticated
                WITH CHECK (bucket_id = 'lockstep' AND name ~ '^[0-9a-f]{64}$');
        END $lockstep$;
        """
    }
}
