-- Types, forms of values, defaults and constraints.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    iban VARCHAR(34) NOT NULL UNIQUE CHECK (length(iban) BETWEEN 15 AND 34),
    owner TEXT NOT NULL CHECK (owner <> ''),
    kind TEXT NOT NULL DEFAULT 'giro' CHECK (kind IN ('giro', 'savings account', 'loan')),
    level INTEGER NOT NULL DEFAULT 1 CHECK (level IN (1, 2, 3)),
    balance DECIMAL(12, 2) NOT NULL DEFAULT 0,
    rate REAL CHECK (rate >= 0 AND rate <= 0.25),
    overdraft INT CHECK (overdraft IS NULL OR overdraft > 0),
    is_open BOOLEAN NOT NULL DEFAULT TRUE,
    frozen INTEGER NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1)),
    has_card INTEGER,
    opened_on DATE NOT NULL,
    created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CHECK (rate IS NULL OR kind <> 'giro')
);
INSERT INTO accounts VALUES
    (1, 'DE89370400440532013000', 'Ada', 'giro', 1, '12.50', NULL, 500, 1, 0, 1, '2020-02-29', '2024-05-01 12:30:00.250'),
    (2, 'GB29NWBK60161331926819', 'Bob', 'savings account', 3, 100, 0.02, NULL, 'false', 1, 0, '2021-03-01',
        '2024-05-01 12:30:00');

CREATE TABLE "transaction" (
    reference UUID NOT NULL PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE RESTRICT,
    amount NUMERIC NOT NULL,
    price TEXT,
    small SMALLINT,
    medium INT4,
    large BIGINT,
    ratio FLOAT,
    receipt BLOB,
    request_uuid BLOB,
    trace TEXT,
    details JSON DEFAULT '{}',
    link URL,
    booked_at INTEGER NOT NULL,
    seen_at INTEGER,
    imported_at REAL,
    valued_at TEXT,
    note,
    flags INTEGER DEFAULT 5,
    payload BLOB DEFAULT x'0102',
    amount_text TEXT GENERATED ALWAYS AS (amount || ' EUR') VIRTUAL
);
INSERT INTO "transaction" (reference, account_id, amount, price, small, medium, large, ratio, receipt, request_uuid,
    trace, details, link, booked_at, seen_at, imported_at, valued_at, note)
VALUES
    (x'00112233445566778899AABBCCDDEEFF', 1, 9.99, '9.99', 12, 70000, 5000000000, 0.5, x'CAFE',
        x'FFEEDDCCBBAA99887766554433221100', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '{"a": [1, null]}',
        'https://example.com/1', 1714566600, 1714566600123, 2460432.0208333, '2024-05-01T14:30:00.123456+02:00',
        'first'),
    ('12345678-1234-4234-8234-123456789abc', 2, -20, '-20', NULL, NULL, NULL, 2, NULL, NULL, NULL, '{}', NULL,
        1714566601, NULL, NULL, '2024-05-01 12:30:00 +0000', 'second');

CREATE TABLE rates (
    currency TEXT NOT NULL,
    day TEXT NOT NULL,
    value ANY NOT NULL,
    PRIMARY KEY (currency, day)
) STRICT, WITHOUT ROWID;
INSERT INTO rates VALUES ('USD', '2024-05-01', 1.08), ('CHF', '2024-05-01', 0.97);
