-- What has no counterpart, and names that are no names in Swift.
CREATE TABLE "T 1" ("select" TEXT, "it's ""quoted""" TEXT, "😀" TEXT, "" TEXT, "context" TEXT, "_id" INTEGER PRIMARY KEY);
CREATE TABLE "ORDER_ITEMS" ("ITEM_ID" INTEGER PRIMARY KEY, "IMAGE_URL" TEXT, "userId" INTEGER, "String" TEXT);
CREATE TABLE "calendar" (day TEXT COLLATE NOCASE UNIQUE, "Int" INTEGER, class TEXT DEFAULT (lower('X')));
CREATE TABLE shelf (id INTEGER PRIMARY KEY, place TEXT);
CREATE TABLE boxes (
    id INTEGER PRIMARY KEY,
    label TEXT UNIQUE ON CONFLICT REPLACE,
    width INTEGER,
    height INTEGER CHECK (height < width),
    shelf_id INTEGER REFERENCES shelves (id),
    room INTEGER REFERENCES boxes (volume),
    owner INTEGER,
    volume INTEGER AS (width * height) STORED,
    photo BLOB UNIQUE,
    FOREIGN KEY (owner, width) REFERENCES shelf (id, place)
);
CREATE TABLE chicken (id INTEGER PRIMARY KEY, egg_id INTEGER NOT NULL REFERENCES egg (id));
CREATE TABLE egg (id INTEGER PRIMARY KEY, chicken_id INTEGER NOT NULL REFERENCES chicken (id));
CREATE TABLE lockstep_parts (
    id BLOB PRIMARY KEY NOT NULL,
    box_id INTEGER NOT NULL DEFAULT 1 CHECK (box_id > 0) REFERENCES boxes ON DELETE CASCADE,
    grade TEXT CHECK (grade IN ('a', 'b')) CHECK (length(grade) < 2)
);
CREATE TABLE egg_representation (id INTEGER PRIMARY KEY);
CREATE TABLE hash (digest BLOB PRIMARY KEY, size INTEGER) WITHOUT ROWID;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE VIRTUAL TABLE boxes_text USING fts5 (label);
CREATE VIEW large_boxes AS SELECT * FROM boxes WHERE width > 100;
CREATE TRIGGER boxes_insert AFTER INSERT ON boxes BEGIN INSERT INTO boxes_text VALUES (new.label); END;
CREATE INDEX boxes_lower ON boxes (lower(label));
CREATE UNIQUE INDEX boxes_wide ON boxes (width) WHERE width > 10;
CREATE INDEX boxes_size ON boxes (width, height DESC);
INSERT INTO "T 1" VALUES ('a', 'b', 'c', 'd', 'e', 1);
INSERT INTO "ORDER_ITEMS" VALUES (1, 'https://example.com', 7, 'text');
INSERT INTO "calendar" VALUES ('Monday', 1, 'x');
INSERT INTO boxes (id, label) VALUES (1, 'Toys');
INSERT INTO lockstep_parts VALUES (x'6F9619FF8B86D011B42D00C04FC964FF', 1, 'a');
INSERT INTO hash VALUES (x'00ff', 2);
