-- Keys and links.
CREATE TABLE ward (code TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL);
CREATE TABLE bed (
    ward_code TEXT NOT NULL REFERENCES ward ON DELETE CASCADE,
    number INTEGER NOT NULL,
    PRIMARY KEY (ward_code, number)
);
CREATE TABLE doctor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    boss_id INTEGER REFERENCES doctor (id) ON DELETE SET NULL,
    home_code TEXT REFERENCES ward (code)
);
CREATE TABLE patients (
    name TEXT NOT NULL,
    doctor_id INTEGER REFERENCES doctor ON DELETE SET NULL,
    substitute_id INTEGER REFERENCES doctor ON DELETE SET NULL ON UPDATE CASCADE,
    bed_ward TEXT,
    bed_number INTEGER,
    admitted INTEGER,
    FOREIGN KEY (bed_ward, bed_number) REFERENCES bed ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE file (
    patient INTEGER NOT NULL UNIQUE,
    barcode TEXT NOT NULL UNIQUE,
    doctor_id INTEGER NOT NULL REFERENCES doctor ON DELETE CASCADE
);
CREATE TABLE visit (
    doctor_id INTEGER NOT NULL REFERENCES doctor,
    barcode TEXT NOT NULL REFERENCES file (barcode) ON DELETE CASCADE,
    minutes INTEGER NOT NULL CHECK (minutes BETWEEN 1 AND 600),
    PRIMARY KEY (doctor_id, barcode)
);
CREATE TABLE badge (doctor_id INTEGER PRIMARY KEY REFERENCES doctor ON DELETE CASCADE, number TEXT NOT NULL);
CREATE TABLE locker (label TEXT UNIQUE, size INTEGER);
CREATE TABLE memo (text TEXT NOT NULL, locker_label TEXT REFERENCES locker (label) ON DELETE SET NULL);
CREATE TABLE skill (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE doctor_skill (
    doctor_id INTEGER NOT NULL REFERENCES doctor ON DELETE CASCADE,
    skill_id INTEGER NOT NULL REFERENCES skill ON DELETE CASCADE,
    PRIMARY KEY (doctor_id, skill_id)
) WITHOUT ROWID;
CREATE TABLE referral (
    sender_id INTEGER NOT NULL REFERENCES doctor,
    receiver_id INTEGER NOT NULL REFERENCES doctor
);
CREATE INDEX patients_doctor ON patients (doctor_id);
CREATE INDEX visit_minutes ON visit (minutes DESC, doctor_id);

INSERT INTO ward VALUES ('A', 'North'), ('B', 'South');
INSERT INTO bed VALUES ('A', 1), ('A', 2), ('B', 1);
INSERT INTO doctor VALUES (1, 'Ann', NULL, 'A'), (2, 'Ben', 1, 'B'), (3, 'Cem', 2, NULL), (4, 'Dee', 99, 'C');
INSERT INTO patients VALUES ('Pat', 2, 3, 'A', 2, 1714566600), ('Quin', NULL, NULL, 'A', NULL, NULL),
    ('Rob', 77, 1, 'B', 9, 1714566700);
INSERT INTO file VALUES (1, 'f-1', 2), (2, 'f-2', 88);
INSERT INTO visit VALUES (1, 'f-1', 30), (2, 'f-2', 15);
INSERT INTO badge VALUES (1, 'no 1'), (66, 'no 66');
INSERT INTO locker VALUES ('L 1', 1), ('L 2', 2), (NULL, 3);
INSERT INTO memo VALUES ('first', 'L 2'), ('second', 'L 9');
INSERT INTO skill VALUES (1, 'Surgery'), (2, 'Chess');
INSERT INTO doctor_skill VALUES (1, 1), (1, 2), (2, 2), (9, 1);
INSERT INTO referral VALUES (1, 2), (1, 2), (2, 3);
