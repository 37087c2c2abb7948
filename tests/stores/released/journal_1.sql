PRAGMA application_id = 1415727727;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
BEGIN TRANSACTION;
CREATE TABLE about (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    -- Random, made once: the hash that the first record stands on, so that no two journals share a record.
    genesis BLOB NOT NULL CHECK (typeof(genesis) = 'blob' AND length(genesis) = 32),
    -- 1 in this file while its write-ahead log holds records that it lacks; the 0 stands in the log, in front of
    -- them. So whoever reads 1 without a log is missing the last records, and whoever moves the log into the file,
    -- by whatever tool, brings the 0 along.
    incomplete INTEGER NOT NULL CHECK (incomplete IN (0, 1)),
    -- Version of the software that opened it last.
    software TEXT NOT NULL
);
INSERT INTO "about" VALUES(1,X'9D622A4FA2648AFC861CB09A2CC6902F32C5F612F4D6BE5B549EC3722BE411F8',0,'0.1.0');
CREATE TABLE records (
    sequence INTEGER PRIMARY KEY,
    -- When it was written, microseconds since 1970-01-01 UTC; when it was observed stands in the body.
    at INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    kind TEXT NOT NULL CHECK (typeof(kind) = 'text'),
    body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
    -- SHA-256 of the hash before it and of everything else in this record.
    hash BLOB NOT NULL CHECK (typeof(hash) = 'blob' AND length(hash) = 32)
);
INSERT INTO "records" VALUES(1,1700000000000000,'card_drawn',X'7B226174223A312C22646576696365223A2273686F65222C2263617264223A7B2272616E6B223A224B222C2273756974223A2268227D2C22746172676574223A22756E737461746564222C22706C616365223A302C226B696E64223A22636172645F647261776E227D',X'E8EFD1F471A445357CF52962352BD74FD44E64957F33ED41FFF9725CE34D5825');
INSERT INTO "records" VALUES(2,1700000000000000,'lock_out_pressed',X'7B226174223A322C22646576696365223A226B657973222C226B696E64223A226C6F636B5F6F75745F70726573736564227D',X'3D3C4715A864D263A9D2BE950A8B4239B5EBB17FC2D98FE8730C9F0E2D0C541A');
INSERT INTO "records" VALUES(3,1700000000000000,'card_drawn',X'7B226174223A332C22646576696365223A2273686F65222C2263617264223A7B2272616E6B223A224B222C2273756974223A2268227D2C22746172676574223A22756E737461746564222C22706C616365223A302C226B696E64223A22636172645F647261776E227D',X'5C1A8484F6BBB98770A95CD7AD8F2D4673CC00C44350D016BEBC751E7A808B1A');
CREATE TRIGGER records_have_no_gaps BEFORE INSERT ON records
WHEN NEW.sequence IS NOT (SELECT COALESCE(MAX(sequence), 0) + 1 FROM records)
BEGIN SELECT RAISE(ABORT, 'a record may only follow the last one'); END;
CREATE TRIGGER records_are_never_changed BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END;
CREATE TRIGGER records_are_never_deleted BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END;
COMMIT;
