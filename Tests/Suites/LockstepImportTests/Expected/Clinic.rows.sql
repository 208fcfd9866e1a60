-- Copies the rows of Clinic.sqlite into a new store of the schema Clinic.
--
-- Open the store once in the app, so that its file exists, and quit the app. Then run, in the folder of
-- Clinic.sqlite:
--
--     sqlite3 -bail STORE < Clinic.rows.sql
--
-- It compares the store with the database, and prints the rows, values and links that were left out, with
-- the reason. To try it, write ROLLBACK in place of COMMIT.

-- The views of the database call no functions with side effects.
PRAGMA trusted_schema = OFF;

-- In place of the store's own table, in a database that only the generated SQL has made.
ATTACH ':memory:' AS plain;

CREATE TABLE plain.lockstep_quiet (id INTEGER PRIMARY KEY);

ATTACH 'file:Clinic.sqlite?mode=ro' AS old;

CREATE TEMP TABLE left_out ("table" TEXT, "row", "column" TEXT, "value", "reason" TEXT);

CREATE INDEX temp.left_out_row ON left_out ("table", "row");

BEGIN IMMEDIATE;

-- A store with rows is not changed.
CREATE TEMP TABLE occupied ("table" TEXT);

INSERT INTO temp.occupied SELECT 'ward'
    WHERE EXISTS (SELECT 1 FROM main."ward");
INSERT INTO temp.occupied SELECT 'bed'
    WHERE EXISTS (SELECT 1 FROM main."bed");
INSERT INTO temp.occupied SELECT 'doctor'
    WHERE EXISTS (SELECT 1 FROM main."doctor");
INSERT INTO temp.occupied SELECT 'patients'
    WHERE EXISTS (SELECT 1 FROM main."patients");
INSERT INTO temp.occupied SELECT 'file'
    WHERE EXISTS (SELECT 1 FROM main."file");
INSERT INTO temp.occupied SELECT 'visit'
    WHERE EXISTS (SELECT 1 FROM main."visit");
INSERT INTO temp.occupied SELECT 'badge'
    WHERE EXISTS (SELECT 1 FROM main."badge");
INSERT INTO temp.occupied SELECT 'locker'
    WHERE EXISTS (SELECT 1 FROM main."locker");
INSERT INTO temp.occupied SELECT 'memo'
    WHERE EXISTS (SELECT 1 FROM main."memo");
INSERT INTO temp.occupied SELECT 'skill'
    WHERE EXISTS (SELECT 1 FROM main."skill");

CREATE TEMP TABLE guard ("count" CONSTRAINT "the store has rows already" CHECK ("count" = 0));

INSERT INTO temp.guard SELECT count(*) FROM temp.occupied;

-- The rows are not sent to the server. To send them as new records, remove this statement.
INSERT INTO lockstep_quiet (id) VALUES (NULL);

CREATE TEMP TABLE "keys of patients" ("row" PRIMARY KEY, "key" TEXT NOT NULL);

INSERT INTO temp."keys of patients"
    SELECT +s.rowid,
        lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
            || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-'
            || hex(randomblob(6)))
    FROM old."patients" AS s;

CREATE TEMP TABLE "keys of locker" ("row" PRIMARY KEY, "key" TEXT NOT NULL);

INSERT INTO temp."keys of locker"
    SELECT +s.rowid,
        lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
            || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-'
            || hex(randomblob(6)))
    FROM old."locker" AS s;

CREATE TEMP TABLE "keys of memo" ("row" PRIMARY KEY, "key" TEXT NOT NULL);

INSERT INTO temp."keys of memo"
    SELECT +s.rowid,
        lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
            || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-'
            || hex(randomblob(6)))
    FROM old."memo" AS s;

-- Ward

CREATE TEMP VIEW "rows of ward" AS SELECT
    +s.rowid AS "row",
    s."code" AS "old code",
    CASE WHEN typeof(s."code") <> 'blob' THEN CAST(s."code" AS TEXT) END AS "new code",
    s."name" AS "old name",
    CASE WHEN typeof(s."name") <> 'blob' THEN CAST(s."name" AS TEXT) END AS "new name"
FROM old."ward" AS s;

INSERT INTO temp.left_out
    SELECT 'ward', n."row", 'code', n."old code",
        CASE WHEN n."old code" IS NULL THEN 'is NULL'
            WHEN n."new code" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of ward" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'ward', n."row", 'name', n."old name",
        CASE WHEN n."old name" IS NULL THEN 'is NULL'
            WHEN n."new name" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of ward" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."ward" ("code", "name")
    SELECT n."new code", n."new name"
    FROM temp."rows of ward" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'ward' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Bed

CREATE TEMP VIEW "rows of bed" AS SELECT
    +s.rowid AS "row",
    s."ward_code" AS "old ward_code",
    CASE WHEN typeof(s."ward_code") <> 'blob' THEN CAST(s."ward_code" AS TEXT) END AS "new ward_key",
    s."number" AS "old number",
    CASE WHEN typeof(s."number") IN ('integer', 'real') AND CAST(s."number" AS INTEGER) = s."number" THEN CAST(s."number" AS INTEGER) END AS "new number",
    CASE WHEN typeof(s."ward_code") <> 'blob' THEN CAST(s."ward_code" AS TEXT) END AS "new ward_code"
FROM old."bed" AS s;

INSERT INTO temp.left_out
    SELECT 'bed', n."row", 'ward_code', n."old ward_code",
        CASE WHEN n."old ward_code" IS NULL THEN 'is NULL'
            WHEN n."new ward_key" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of bed" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'bed', n."row", 'number', n."old number",
        CASE WHEN n."old number" IS NULL THEN 'is NULL'
            WHEN n."new number" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of bed" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'bed', n."row", 'ward_code', n."old ward_code",
        CASE WHEN NOT EXISTS (SELECT 1 FROM main."ward" AS t WHERE t."code" = n."new ward_code") THEN 'refers to a row that is not copied' END AS "reason"
    FROM temp."rows of bed" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."bed" ("ward_key", "number", "ward_code")
    SELECT n."new ward_key", n."new number", n."new ward_code"
    FROM temp."rows of bed" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'bed' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Doctor

CREATE TEMP VIEW "rows of doctor" AS SELECT
    +s.rowid AS "row",
    s."id" AS "old id",
    CASE WHEN typeof(s."id") IN ('integer', 'real') AND CAST(s."id" AS INTEGER) = s."id" THEN CAST(s."id" AS INTEGER) END AS "new id",
    s."name" AS "old name",
    CASE WHEN typeof(s."name") <> 'blob' THEN CAST(s."name" AS TEXT) END AS "new name",
    s."boss_id" AS "old boss_id",
    CASE WHEN typeof(s."boss_id") IN ('integer', 'real') AND CAST(s."boss_id" AS INTEGER) = s."boss_id" THEN CAST(s."boss_id" AS INTEGER) END AS "new boss_id",
    s."home_code" AS "old home_code",
    CASE WHEN typeof(s."home_code") <> 'blob' THEN CAST(s."home_code" AS TEXT) END AS "new home_code"
FROM old."doctor" AS s;

INSERT INTO temp.left_out
    SELECT 'doctor', n."row", 'id', n."old id",
        CASE WHEN n."old id" IS NULL THEN 'is NULL'
            WHEN n."new id" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of doctor" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'doctor', n."row", 'name', n."old name",
        CASE WHEN n."old name" IS NULL THEN 'is NULL'
            WHEN n."new name" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of doctor" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."doctor" ("id", "name", "boss_id", "home_code")
    SELECT n."new id", n."new name", n."new boss_id", n."new home_code"
    FROM temp."rows of doctor" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'doctor' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Patient

CREATE TEMP VIEW "rows of patients" AS SELECT
    +s.rowid AS "row",
    (SELECT k."key" FROM temp."keys of patients" AS k WHERE k."row" = +s.rowid) AS "new local_id",
    s."name" AS "old name",
    CASE WHEN typeof(s."name") <> 'blob' THEN CAST(s."name" AS TEXT) END AS "new name",
    s."admitted" AS "old admitted",
    CASE WHEN typeof(s."admitted") IN ('integer', 'real') AND CAST(s."admitted" AS INTEGER) = s."admitted" THEN CAST(s."admitted" AS INTEGER) END AS "new admitted",
    s."doctor_id" AS "old doctor_id",
    CASE WHEN typeof(s."doctor_id") IN ('integer', 'real') AND CAST(s."doctor_id" AS INTEGER) = s."doctor_id" THEN CAST(s."doctor_id" AS INTEGER) END AS "new doctor_id",
    s."substitute_id" AS "old substitute_id",
    CASE WHEN typeof(s."substitute_id") IN ('integer', 'real') AND CAST(s."substitute_id" AS INTEGER) = s."substitute_id" THEN CAST(s."substitute_id" AS INTEGER) END AS "new substitute_id",
    s."bed_ward" AS "old bed_ward",
    s."bed_number" AS "old bed_number",
    CASE WHEN s."bed_ward" IS NOT NULL AND s."bed_number" IS NOT NULL THEN CASE WHEN typeof(s."bed_ward") <> 'blob' THEN CAST(s."bed_ward" AS TEXT) END END AS "new bed_ward_key",
    CASE WHEN s."bed_ward" IS NOT NULL AND s."bed_number" IS NOT NULL THEN CASE WHEN typeof(s."bed_number") IN ('integer', 'real') AND CAST(s."bed_number" AS INTEGER) = s."bed_number" THEN CAST(s."bed_number" AS INTEGER) END END AS "new bed_number"
FROM old."patients" AS s;

INSERT INTO temp.left_out
    SELECT 'patients', n."row", 'name', n."old name",
        CASE WHEN n."old name" IS NULL THEN 'is NULL'
            WHEN n."new name" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of patients" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."patients" ("local_id", "name", "admitted", "doctor_id", "substitute_id", "bed_ward_key", "bed_number")
    SELECT n."new local_id", n."new name", n."new admitted", n."new doctor_id", n."new substitute_id", n."new bed_ward_key", n."new bed_number"
    FROM temp."rows of patients" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'patients' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

INSERT INTO temp.left_out
    SELECT 'patients', n."row", 'admitted', n."old admitted",
        CASE WHEN n."old admitted" IS NULL THEN NULL
            WHEN n."new admitted" IS NULL THEN 'has another form: it is not copied' END AS "reason"
    FROM temp."rows of patients" AS n WHERE "reason" IS NOT NULL;

-- File

CREATE TEMP VIEW "rows of file" AS SELECT
    +s.rowid AS "row",
    s."patient" AS "old patient",
    CASE WHEN typeof(s."patient") IN ('integer', 'real') AND CAST(s."patient" AS INTEGER) = s."patient" THEN CAST(s."patient" AS INTEGER) END AS "new patient",
    s."barcode" AS "old barcode",
    CASE WHEN typeof(s."barcode") <> 'blob' THEN CAST(s."barcode" AS TEXT) END AS "new barcode",
    s."doctor_id" AS "old doctor_id",
    CASE WHEN typeof(s."doctor_id") IN ('integer', 'real') AND CAST(s."doctor_id" AS INTEGER) = s."doctor_id" THEN CAST(s."doctor_id" AS INTEGER) END AS "new doctor_id"
FROM old."file" AS s;

INSERT INTO temp.left_out
    SELECT 'file', n."row", 'patient', n."old patient",
        CASE WHEN n."old patient" IS NULL THEN 'is NULL'
            WHEN n."new patient" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of file" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'file', n."row", 'barcode', n."old barcode",
        CASE WHEN n."old barcode" IS NULL THEN 'is NULL'
            WHEN n."new barcode" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of file" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'file', n."row", 'doctor_id', n."old doctor_id",
        CASE WHEN NOT EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new doctor_id") THEN 'refers to a row that is not copied' END AS "reason"
    FROM temp."rows of file" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."file" ("patient", "barcode", "doctor_id")
    SELECT n."new patient", n."new barcode", n."new doctor_id"
    FROM temp."rows of file" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'file' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Visit

CREATE TEMP VIEW "rows of visit" AS SELECT
    +s.rowid AS "row",
    s."doctor_id" AS "old doctor_id",
    CASE WHEN typeof(s."doctor_id") IN ('integer', 'real') AND CAST(s."doctor_id" AS INTEGER) = s."doctor_id" THEN CAST(s."doctor_id" AS INTEGER) END AS "new doctor_key",
    s."barcode" AS "old barcode",
    CASE WHEN typeof(s."barcode") <> 'blob' THEN CAST(s."barcode" AS TEXT) END AS "new file_key",
    s."minutes" AS "old minutes",
    CASE WHEN typeof(s."minutes") IN ('integer', 'real') AND CAST(s."minutes" AS INTEGER) = s."minutes" THEN CAST(s."minutes" AS INTEGER) END AS "new minutes",
    CASE WHEN typeof(s."doctor_id") IN ('integer', 'real') AND CAST(s."doctor_id" AS INTEGER) = s."doctor_id" THEN CAST(s."doctor_id" AS INTEGER) END AS "new doctor_id",
    (SELECT CASE WHEN typeof(r."patient") IN ('integer', 'real') AND CAST(r."patient" AS INTEGER) = r."patient" THEN CAST(r."patient" AS INTEGER) END FROM old."file" AS r WHERE r."barcode" = s."barcode") AS "new file_id"
FROM old."visit" AS s;

INSERT INTO temp.left_out
    SELECT 'visit', n."row", 'doctor_id', n."old doctor_id",
        CASE WHEN n."old doctor_id" IS NULL THEN 'is NULL'
            WHEN n."new doctor_key" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of visit" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'visit', n."row", 'barcode', n."old barcode",
        CASE WHEN n."old barcode" IS NULL THEN 'is NULL'
            WHEN n."new file_key" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of visit" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'visit', n."row", 'minutes', n."old minutes",
        CASE WHEN n."old minutes" IS NULL THEN 'is NULL'
            WHEN n."new minutes" IS NULL THEN 'has another form'
            WHEN n."new minutes" < 1 OR n."new minutes" > 600 THEN 'is outside of its limits' END AS "reason"
    FROM temp."rows of visit" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'visit', n."row", 'doctor_id', n."old doctor_id",
        CASE WHEN NOT EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new doctor_id") THEN 'refers to a row that is not copied' END AS "reason"
    FROM temp."rows of visit" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'visit', n."row", 'barcode', n."old barcode",
        CASE WHEN NOT EXISTS (SELECT 1 FROM main."file" AS t WHERE t."patient" = n."new file_id") THEN 'refers to a row that is not copied' END AS "reason"
    FROM temp."rows of visit" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."visit" ("doctor_key", "file_key", "minutes", "doctor_id", "file_id")
    SELECT n."new doctor_key", n."new file_key", n."new minutes", n."new doctor_id", n."new file_id"
    FROM temp."rows of visit" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'visit' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Badge

CREATE TEMP VIEW "rows of badge" AS SELECT
    +s.rowid AS "row",
    s."doctor_id" AS "old doctor_id",
    CASE WHEN typeof(s."doctor_id") IN ('integer', 'real') AND CAST(s."doctor_id" AS INTEGER) = s."doctor_id" THEN CAST(s."doctor_id" AS INTEGER) END AS "new doctor_key",
    s."number" AS "old number",
    CASE WHEN typeof(s."number") <> 'blob' THEN CAST(s."number" AS TEXT) END AS "new number",
    CASE WHEN typeof(s."doctor_id") IN ('integer', 'real') AND CAST(s."doctor_id" AS INTEGER) = s."doctor_id" THEN CAST(s."doctor_id" AS INTEGER) END AS "new doctor_id"
FROM old."badge" AS s;

INSERT INTO temp.left_out
    SELECT 'badge', n."row", 'doctor_id', n."old doctor_id",
        CASE WHEN n."old doctor_id" IS NULL THEN 'is NULL'
            WHEN n."new doctor_key" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of badge" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'badge', n."row", 'number', n."old number",
        CASE WHEN n."old number" IS NULL THEN 'is NULL'
            WHEN n."new number" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of badge" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'badge', n."row", 'doctor_id', n."old doctor_id",
        CASE WHEN NOT EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new doctor_id") THEN 'refers to a row that is not copied' END AS "reason"
    FROM temp."rows of badge" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."badge" ("doctor_key", "number", "doctor_id")
    SELECT n."new doctor_key", n."new number", n."new doctor_id"
    FROM temp."rows of badge" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'badge' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Locker

CREATE TEMP VIEW "rows of locker" AS SELECT
    +s.rowid AS "row",
    (SELECT k."key" FROM temp."keys of locker" AS k WHERE k."row" = +s.rowid) AS "new local_id",
    s."label" AS "old label",
    CASE WHEN typeof(s."label") <> 'blob' THEN CAST(s."label" AS TEXT) END AS "new label",
    s."size" AS "old size",
    CASE WHEN typeof(s."size") IN ('integer', 'real') AND CAST(s."size" AS INTEGER) = s."size" THEN CAST(s."size" AS INTEGER) END AS "new size"
FROM old."locker" AS s;

INSERT INTO main."locker" ("local_id", "label", "size")
    SELECT n."new local_id", n."new label", n."new size"
    FROM temp."rows of locker" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'locker' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

INSERT INTO temp.left_out
    SELECT 'locker', n."row", 'label', n."old label",
        CASE WHEN n."old label" IS NULL THEN NULL
            WHEN n."new label" IS NULL THEN 'has another form: it is not copied' END AS "reason"
    FROM temp."rows of locker" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'locker', n."row", 'size', n."old size",
        CASE WHEN n."old size" IS NULL THEN NULL
            WHEN n."new size" IS NULL THEN 'has another form: it is not copied' END AS "reason"
    FROM temp."rows of locker" AS n WHERE "reason" IS NOT NULL;

-- Memo

CREATE TEMP VIEW "rows of memo" AS SELECT
    +s.rowid AS "row",
    (SELECT k."key" FROM temp."keys of memo" AS k WHERE k."row" = +s.rowid) AS "new local_id",
    s."text" AS "old text",
    CASE WHEN typeof(s."text") <> 'blob' THEN CAST(s."text" AS TEXT) END AS "new text",
    s."locker_label" AS "old locker_label",
    (SELECT (SELECT k."key" FROM temp."keys of locker" AS k WHERE k."row" = +r.rowid) FROM old."locker" AS r WHERE r."label" = s."locker_label") AS "new locker_label"
FROM old."memo" AS s;

INSERT INTO temp.left_out
    SELECT 'memo', n."row", 'text', n."old text",
        CASE WHEN n."old text" IS NULL THEN 'is NULL'
            WHEN n."new text" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of memo" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."memo" ("local_id", "text", "locker_label")
    SELECT n."new local_id", n."new text", n."new locker_label"
    FROM temp."rows of memo" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'memo' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Skill

CREATE TEMP VIEW "rows of skill" AS SELECT
    +s.rowid AS "row",
    s."id" AS "old id",
    CASE WHEN typeof(s."id") IN ('integer', 'real') AND CAST(s."id" AS INTEGER) = s."id" THEN CAST(s."id" AS INTEGER) END AS "new id",
    s."title" AS "old title",
    CASE WHEN typeof(s."title") <> 'blob' THEN CAST(s."title" AS TEXT) END AS "new title"
FROM old."skill" AS s;

INSERT INTO temp.left_out
    SELECT 'skill', n."row", 'id', n."old id",
        CASE WHEN n."old id" IS NULL THEN 'is NULL'
            WHEN n."new id" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of skill" AS n WHERE "reason" IS NOT NULL;

INSERT INTO temp.left_out
    SELECT 'skill', n."row", 'title', n."old title",
        CASE WHEN n."old title" IS NULL THEN 'is NULL'
            WHEN n."new title" IS NULL THEN 'has another form' END AS "reason"
    FROM temp."rows of skill" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."skill" ("id", "title")
    SELECT n."new id", n."new title"
    FROM temp."rows of skill" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'skill' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Links

INSERT INTO temp.left_out
    SELECT 'doctor', n."row", 'boss_id', n."old boss_id",
        CASE WHEN n."old boss_id" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new boss_id")
            THEN 'refers to a row that is not copied: it is not linked' END AS "reason"
    FROM temp."rows of doctor" AS n WHERE "reason" IS NOT NULL;

UPDATE main."doctor" SET "boss_id" = NULL
    WHERE "boss_id" IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM main."doctor" AS t
        WHERE t."id" = "doctor"."boss_id");

INSERT INTO temp.left_out
    SELECT 'doctor', n."row", 'home_code', n."old home_code",
        CASE WHEN n."old home_code" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main."ward" AS t WHERE t."code" = n."new home_code")
            THEN 'refers to a row that is not copied: it is not linked' END AS "reason"
    FROM temp."rows of doctor" AS n WHERE "reason" IS NOT NULL;

UPDATE main."doctor" SET "home_code" = NULL
    WHERE "home_code" IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM main."ward" AS t
        WHERE t."code" = "doctor"."home_code");

INSERT INTO temp.left_out
    SELECT 'patients', n."row", 'doctor_id', n."old doctor_id",
        CASE WHEN n."old doctor_id" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new doctor_id")
            THEN 'refers to a row that is not copied: it is not linked' END AS "reason"
    FROM temp."rows of patients" AS n WHERE "reason" IS NOT NULL;

UPDATE main."patients" SET "doctor_id" = NULL
    WHERE "doctor_id" IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM main."doctor" AS t
        WHERE t."id" = "patients"."doctor_id");

INSERT INTO temp.left_out
    SELECT 'patients', n."row", 'substitute_id', n."old substitute_id",
        CASE WHEN n."old substitute_id" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new substitute_id")
            THEN 'refers to a row that is not copied: it is not linked' END AS "reason"
    FROM temp."rows of patients" AS n WHERE "reason" IS NOT NULL;

UPDATE main."patients" SET "substitute_id" = NULL
    WHERE "substitute_id" IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM main."doctor" AS t
        WHERE t."id" = "patients"."substitute_id");

INSERT INTO temp.left_out
    SELECT 'patients', n."row", 'bed_ward, bed_number', quote(n."old bed_ward") || ', ' || quote(n."old bed_number"),
        CASE WHEN n."old bed_ward" IS NOT NULL AND n."old bed_number" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main."bed" AS t WHERE t."ward_key" = n."new bed_ward_key" AND t."number" = n."new bed_number")
            THEN 'refers to a row that is not copied: it is not linked' END AS "reason"
    FROM temp."rows of patients" AS n WHERE "reason" IS NOT NULL;

UPDATE main."patients" SET "bed_ward_key" = NULL, "bed_number" = NULL
    WHERE "bed_ward_key" IS NOT NULL AND "bed_number" IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM main."bed" AS t
        WHERE t."ward_key" = "patients"."bed_ward_key" AND t."number" = "patients"."bed_number");

INSERT INTO temp.left_out
    SELECT 'memo', n."row", 'locker_label', n."old locker_label",
        CASE WHEN n."old locker_label" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main."locker" AS t WHERE t."local_id" = n."new locker_label")
            THEN 'refers to a row that is not copied: it is not linked' END AS "reason"
    FROM temp."rows of memo" AS n WHERE "reason" IS NOT NULL;

UPDATE main."memo" SET "locker_label" = NULL
    WHERE "locker_label" IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM main."locker" AS t
        WHERE t."local_id" = "memo"."locker_label");

-- Doctor and Skill

CREATE TEMP VIEW "rows of doctor_skill" AS SELECT
    quote(s."doctor_id") || ' ' || quote(s."skill_id") AS "row",
    s."doctor_id" AS "old doctor_id",
    s."skill_id" AS "old skill_id",
    CASE WHEN typeof(s."doctor_id") IN ('integer', 'real') AND CAST(s."doctor_id" AS INTEGER) = s."doctor_id" THEN CAST(s."doctor_id" AS INTEGER) END AS "new doctor_id",
    CASE WHEN typeof(s."skill_id") IN ('integer', 'real') AND CAST(s."skill_id" AS INTEGER) = s."skill_id" THEN CAST(s."skill_id" AS INTEGER) END AS "new skill_id"
FROM old."doctor_skill" AS s;

INSERT INTO temp.left_out
    SELECT 'doctor_skill', n."row", 'doctor_id, skill_id', quote(n."old doctor_id") || ', ' || quote(n."old skill_id"),
        CASE WHEN NOT (EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new doctor_id")
            AND EXISTS (SELECT 1 FROM main."skill" AS t WHERE t."id" = n."new skill_id"))
            THEN 'links a row that is not copied' END AS "reason"
    FROM temp."rows of doctor_skill" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."doctor_skill" ("doctor_id", "skill_id")
    SELECT DISTINCT n."new doctor_id", n."new skill_id"
    FROM temp."rows of doctor_skill" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'doctor_skill' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- Doctor and Doctor

CREATE TEMP VIEW "rows of referral" AS SELECT
    +s.rowid AS "row",
    s."sender_id" AS "old sender_id",
    s."receiver_id" AS "old receiver_id",
    CASE WHEN typeof(s."sender_id") IN ('integer', 'real') AND CAST(s."sender_id" AS INTEGER) = s."sender_id" THEN CAST(s."sender_id" AS INTEGER) END AS "new sender_id",
    CASE WHEN typeof(s."receiver_id") IN ('integer', 'real') AND CAST(s."receiver_id" AS INTEGER) = s."receiver_id" THEN CAST(s."receiver_id" AS INTEGER) END AS "new receiver_id"
FROM old."referral" AS s;

INSERT INTO temp.left_out
    SELECT 'referral', n."row", 'sender_id, receiver_id', quote(n."old sender_id") || ', ' || quote(n."old receiver_id"),
        CASE WHEN NOT (EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new sender_id")
            AND EXISTS (SELECT 1 FROM main."doctor" AS t WHERE t."id" = n."new receiver_id"))
            THEN 'links a row that is not copied' END AS "reason"
    FROM temp."rows of referral" AS n WHERE "reason" IS NOT NULL;

INSERT INTO main."doctor_receivers" ("sender_id", "receiver_id")
    SELECT DISTINCT n."new sender_id", n."new receiver_id"
    FROM temp."rows of referral" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'referral' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied);

-- What the store has of the rows now

INSERT INTO temp.left_out
    SELECT 'ward', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of ward" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'ward' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."ward" AS t
        WHERE t."code" IS n."new code" AND t."name" IS n."new name");

INSERT INTO temp.left_out
    SELECT 'bed', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of bed" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'bed' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."bed" AS t
        WHERE t."ward_key" IS n."new ward_key" AND t."number" IS n."new number" AND t."ward_code" IS n."new ward_code");

INSERT INTO temp.left_out
    SELECT 'doctor', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of doctor" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'doctor' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."doctor" AS t
        WHERE t."id" IS n."new id" AND t."name" IS n."new name" AND t."boss_id" IS n."new boss_id" AND t."home_code" IS n."new home_code");

INSERT INTO temp.left_out
    SELECT 'patients', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of patients" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'patients' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."patients" AS t
        WHERE t."local_id" IS n."new local_id" AND t."name" IS n."new name" AND t."admitted" IS n."new admitted" AND t."doctor_id" IS n."new doctor_id" AND t."substitute_id" IS n."new substitute_id" AND t."bed_ward_key" IS n."new bed_ward_key" AND t."bed_number" IS n."new bed_number");

INSERT INTO temp.left_out
    SELECT 'file', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of file" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'file' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."file" AS t
        WHERE t."patient" IS n."new patient" AND t."barcode" IS n."new barcode" AND t."doctor_id" IS n."new doctor_id");

INSERT INTO temp.left_out
    SELECT 'visit', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of visit" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'visit' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."visit" AS t
        WHERE t."doctor_key" IS n."new doctor_key" AND t."file_key" IS n."new file_key" AND t."minutes" IS n."new minutes" AND t."doctor_id" IS n."new doctor_id" AND t."file_id" IS n."new file_id");

INSERT INTO temp.left_out
    SELECT 'badge', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of badge" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'badge' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."badge" AS t
        WHERE t."doctor_key" IS n."new doctor_key" AND t."number" IS n."new number" AND t."doctor_id" IS n."new doctor_id");

INSERT INTO temp.left_out
    SELECT 'locker', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of locker" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'locker' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."locker" AS t
        WHERE t."local_id" IS n."new local_id" AND t."label" IS n."new label" AND t."size" IS n."new size");

INSERT INTO temp.left_out
    SELECT 'memo', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of memo" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'memo' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."memo" AS t
        WHERE t."local_id" IS n."new local_id" AND t."text" IS n."new text" AND t."locker_label" IS n."new locker_label");

INSERT INTO temp.left_out
    SELECT 'skill', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of skill" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'skill' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."skill" AS t
        WHERE t."id" IS n."new id" AND t."title" IS n."new title");

INSERT INTO temp.left_out
    SELECT 'doctor_skill', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of doctor_skill" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'doctor_skill' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."doctor_skill" AS t
        WHERE t."doctor_id" IS n."new doctor_id" AND t."skill_id" IS n."new skill_id");

INSERT INTO temp.left_out
    SELECT 'referral', n."row", '', NULL, 'is not in the store as it was copied'
    FROM temp."rows of referral" AS n
    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
        WHERE l."table" = 'referral' AND l."row" = n."row")
    AND NOT EXISTS (SELECT 1 FROM temp.occupied)
    AND NOT EXISTS (SELECT 1 FROM main."doctor_receivers" AS t
        WHERE t."sender_id" IS n."new sender_id" AND t."receiver_id" IS n."new receiver_id");

DELETE FROM lockstep_quiet;

SELECT * FROM temp.left_out;

COMMIT;
