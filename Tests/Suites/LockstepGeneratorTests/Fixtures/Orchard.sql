-- A database with everything that the import of PostgreSQL knows.
CREATE TYPE ripeness AS ENUM ('green', 'ripe', 'over ripe');
CREATE DOMAIN weight AS numeric(8,3) NOT NULL DEFAULT 1 CHECK (VALUE > 0 AND VALUE <= 500.5);
CREATE DOMAIN heavy AS weight CHECK (VALUE >= 10);
CREATE TABLE growers (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name varchar(40) NOT NULL CHECK (char_length(name) >= 2),
    email text UNIQUE
);
COMMENT ON TABLE growers IS 'People who grow "apples" & pears.';
COMMENT ON COLUMN growers.name IS 'As it is on the box.';
CREATE TABLE trees (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    grower_id uuid NOT NULL REFERENCES growers ON DELETE CASCADE,
    "plantedBy" uuid REFERENCES growers ON DELETE SET NULL,
    parent_id bigint REFERENCES trees,
    kind text NOT NULL DEFAULT 'apple' CHECK (kind IN ('apple', 'pear', 'quince')),
    height real CHECK (height BETWEEN 0 AND 40),
    age smallint NOT NULL DEFAULT 0 CHECK (age >= 0),
    code character(3) UNIQUE,
    planted date,
    seen timestamp,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz DEFAULT (now() AT TIME ZONE 'utc'),
    is_pruned boolean NOT NULL DEFAULT false,
    ripe ripeness NOT NULL DEFAULT 'green',
    history ripeness[],
    labels text[] NOT NULL DEFAULT '{}',
    about jsonb NOT NULL DEFAULT '{}',
    notes json,
    photo bytea,
    yield heavy,
    price numeric(10,2) CHECK (price >= 0 AND price < 1000),
    spot point,
    address inet,
    span interval,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce(kind, ''))) STORED,
    area double precision GENERATED ALWAYS AS (height * 2) STORED,
    number serial,
    CHECK (height > age),
    UNIQUE (grower_id, code),
    EXCLUDE USING gist (spot WITH ~=)
);
CREATE INDEX ON trees (planted DESC, kind);
CREATE INDEX ON trees (lower(kind));
CREATE UNIQUE INDEX ON trees (kind) WHERE is_pruned;
CREATE INDEX ON trees USING gin (about);
CREATE TABLE rows_of (orchard integer, number integer, name text, PRIMARY KEY (orchard, number));
CREATE TABLE stakes (
    id integer PRIMARY KEY, row_orchard integer, row_number integer, other integer NOT NULL, other_n integer NOT NULL,
    FOREIGN KEY (row_orchard, row_number) REFERENCES rows_of (orchard, number),
    FOREIGN KEY (other, other_n) REFERENCES rows_of
);
CREATE TABLE tags (id uuid PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE tree_tags (
    tree_id bigint REFERENCES trees ON DELETE CASCADE,
    tag_id uuid REFERENCES tags ON DELETE CASCADE,
    PRIMARY KEY (tree_id, tag_id)
);
CREATE TABLE visits (
    grower_id uuid REFERENCES growers,
    tree_id bigint REFERENCES trees,
    at timestamptz,
    PRIMARY KEY (grower_id, tree_id)
);
CREATE TABLE profiles (grower_id uuid PRIMARY KEY REFERENCES growers ON DELETE CASCADE, bio text);
CREATE TABLE passports (id uuid PRIMARY KEY, grower uuid NOT NULL UNIQUE REFERENCES growers);
CREATE TABLE log (message text);
CREATE TABLE "Odd Name" ("the id" uuid PRIMARY KEY, "select" text, "Umlaut ä" int);
CREATE VIEW tall AS SELECT * FROM trees WHERE height > 3;
ALTER TABLE trees ENABLE ROW LEVEL SECURITY;
CREATE POLICY "Growers see theirs" ON trees FOR SELECT USING (grower_id::text = current_setting('x'));
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER touch BEFORE UPDATE ON trees FOR EACH ROW EXECUTE FUNCTION touch();
