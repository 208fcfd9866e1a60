-- Tables as a Supabase project has them, with users in another schema and policies of its own.
CREATE TYPE card_status AS ENUM ('open', 'in progress', 'done');
CREATE TABLE boards (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL DEFAULT auth.uid() REFERENCES auth.users ON DELETE CASCADE,
    name varchar(80) NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE cards (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    board_id uuid NOT NULL REFERENCES boards ON DELETE CASCADE,
    title text NOT NULL CHECK (char_length(title) > 0),
    status card_status NOT NULL DEFAULT 'open',
    rank integer NOT NULL DEFAULT 0,
    due_on date,
    done_at timestamptz
);
CREATE TABLE stickers (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    board_id uuid NOT NULL REFERENCES boards ON DELETE CASCADE,
    name text NOT NULL
);
CREATE TABLE card_stickers (
    card_id uuid NOT NULL REFERENCES cards ON DELETE CASCADE,
    sticker_id uuid NOT NULL REFERENCES stickers ON DELETE CASCADE,
    PRIMARY KEY (card_id, sticker_id)
);
CREATE TABLE payments (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, cents integer NOT NULL);

ALTER TABLE boards ENABLE ROW LEVEL SECURITY;
ALTER TABLE cards ENABLE ROW LEVEL SECURITY;
CREATE POLICY "Users change their boards" ON boards USING (auth.uid() = user_id) WITH CHECK (auth.uid() = user_id);
CREATE POLICY "Done cards stay" ON cards AS RESTRICTIVE FOR DELETE USING (status <> 'done');

INSERT INTO auth.users VALUES ('aaaaaaaa-0000-0000-0000-000000000000'), ('bbbbbbbb-0000-0000-0000-000000000000')
    ON CONFLICT DO NOTHING;
INSERT INTO boards (id, user_id, name) VALUES
    ('00000000-0000-0000-0000-000000000001', 'aaaaaaaa-0000-0000-0000-000000000000', 'House'),
    ('00000000-0000-0000-0000-000000000002', 'bbbbbbbb-0000-0000-0000-000000000000', 'Boat');
INSERT INTO cards (id, board_id, title, status, due_on) VALUES
    ('00000000-0000-0000-0000-000000000011', '00000000-0000-0000-0000-000000000001', 'Roof', 'in progress',
        '2024-05-01'),
    ('00000000-0000-0000-0000-000000000012', '00000000-0000-0000-0000-000000000001', 'Door', 'open', NULL),
    ('00000000-0000-0000-0000-000000000013', '00000000-0000-0000-0000-000000000002', 'Mast', 'done', NULL);
INSERT INTO stickers VALUES
    ('00000000-0000-0000-0000-000000000021', '00000000-0000-0000-0000-000000000001', 'red');
INSERT INTO card_stickers VALUES
    ('00000000-0000-0000-0000-000000000011', '00000000-0000-0000-0000-000000000021');
