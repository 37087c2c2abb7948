PRAGMA application_id = 1415727727;
PRAGMA user_version = 2;
PRAGMA journal_mode = WAL;
BEGIN TRANSACTION;
CREATE TABLE about (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    -- The hash that the first record stands on. Random in the first file, so that no two journals share a record; in a
    -- later one that of the last record of the file before.
    genesis BLOB NOT NULL CHECK (typeof(genesis) = 'blob' AND length(genesis) = 32),
    -- Place of the first record of this file.
    first_sequence INTEGER NOT NULL CHECK (typeof(first_sequence) = 'integer' AND first_sequence > 0),
    -- The gaming day for which this file was begun, an ISO date; empty until one is told.
    day TEXT NOT NULL CHECK (typeof(day) = 'text'),
    -- 1 when a later file goes on from here.
    finished INTEGER NOT NULL CHECK (finished IN (0, 1)),
    -- 1 in this file while its write-ahead log holds records that it lacks; the 0 stands in the log, in front of
    -- them. So whoever reads 1 without a log is missing the last records, and whoever moves the log into the file,
    -- by whatever tool, brings the 0 along.
    incomplete INTEGER NOT NULL CHECK (incomplete IN (0, 1)),
    -- Version of the software that opened it last.
    software TEXT NOT NULL
);
INSERT INTO "about" VALUES(1,X'CBBD5AC9CE2EE8FDAE2D3B1A09FD4A6E444690A9DB4F89FA63BA2C300E0D2A7B',4,'2026-11-30',0,0,'0.1.0');
CREATE TABLE records (
    sequence INTEGER PRIMARY KEY,
    -- When it was written, microseconds since 1970-01-01 UTC; when it was observed stands in the body.
    at INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    kind TEXT NOT NULL CHECK (typeof(kind) = 'text'),
    body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
    -- SHA-256 of the hash before it and of everything else in this record.
    hash BLOB NOT NULL CHECK (typeof(hash) = 'blob' AND length(hash) = 32)
);
INSERT INTO "records" VALUES(4,1700000000000000,'card_drawn',X'7B226174223A342C22646576696365223A2273686F65222C2263617264223A7B2272616E6B223A224B222C2273756974223A2268227D2C22746172676574223A22756E737461746564222C22706C616365223A302C226B696E64223A22636172645F647261776E227D',X'820300299C659D566489E01F2163450F3B6712E1625CF05B94AF5CDCCF4D197D');
INSERT INTO "records" VALUES(5,1700000000000000,'lock_out_pressed',X'7B226174223A352C22646576696365223A226B657973222C226B696E64223A226C6F636B5F6F75745F70726573736564227D',X'A9B80B282B131CCF22B283BA1458373E095263AA3420601510CBAD8D62119B50');
CREATE TABLE snapshots (
    -- Of the last record folded in; the one before the first of this file if the file was begun with it.
    sequence INTEGER NOT NULL CHECK (typeof(sequence) = 'integer'),
    hash BLOB NOT NULL CHECK (typeof(hash) = 'blob' AND length(hash) = 32),
    -- Version that made it, and the SHA-256 of the code that folds.
    software TEXT NOT NULL,
    code BLOB NOT NULL CHECK (typeof(code) = 'blob' AND length(code) = 32),
    body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
    -- SHA-256 of all the rest.
    digest BLOB NOT NULL CHECK (typeof(digest) = 'blob' AND length(digest) = 32),
    PRIMARY KEY (sequence, code)
);
INSERT INTO "snapshots" VALUES(3,X'CBBD5AC9CE2EE8FDAE2D3B1A09FD4A6E444690A9DB4F89FA63BA2C300E0D2A7B','0.1.0',X'0000000000000000000000000000000000000000000000000000000000000000',X'7B227374617465223A7B7D7D',X'64485E9D991BB2166B7C7B80413E536F2C5C6FB817266EAE9B6FE596DB5B1930');
CREATE TRIGGER records_are_never_changed BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END;
CREATE TRIGGER records_are_never_deleted BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END;
CREATE TRIGGER records_have_no_gaps BEFORE INSERT ON records
WHEN NEW.sequence IS NOT (SELECT COALESCE((SELECT MAX(sequence) FROM records), first_sequence - 1) + 1 FROM about)
BEGIN SELECT RAISE(ABORT, 'a record may only follow the last one'); END;
CREATE TRIGGER records_end_with_the_file BEFORE INSERT ON records
WHEN (SELECT finished FROM about)
BEGIN SELECT RAISE(ABORT, 'a finished file has no more records'); END;
CREATE TRIGGER snapshots_are_never_changed BEFORE UPDATE ON snapshots
BEGIN SELECT RAISE(ABORT, 'a snapshot is never changed'); END;
CREATE TRIGGER snapshots_are_never_deleted BEFORE DELETE ON snapshots
BEGIN SELECT RAISE(ABORT, 'a snapshot is never deleted'); END;
COMMIT;
