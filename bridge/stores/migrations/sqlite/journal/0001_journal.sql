-- The journal of one table: records are added at the end, and nothing else ever happens to them.

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

INSERT INTO about (only_row, genesis, incomplete, software) VALUES (1, randomblob(32), 0, '');

CREATE TABLE records (
    sequence INTEGER PRIMARY KEY,
    -- When it was written, microseconds since 1970-01-01 UTC; when it was observed stands in the body.
    at INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    kind TEXT NOT NULL CHECK (typeof(kind) = 'text'),
    body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
    -- SHA-256 of the hash before it and of everything else in this record.
    hash BLOB NOT NULL CHECK (typeof(hash) = 'blob' AND length(hash) = 32)
);

CREATE TRIGGER records_have_no_gaps BEFORE INSERT ON records
WHEN NEW.sequence IS NOT (SELECT COALESCE(MAX(sequence), 0) + 1 FROM records)
BEGIN SELECT RAISE(ABORT, 'a record may only follow the last one'); END;

CREATE TRIGGER records_are_never_changed BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END;

CREATE TRIGGER records_are_never_deleted BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END;
