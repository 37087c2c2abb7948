-- A journal in several files, one after the other, and snapshots of what its records fold into.

CREATE TABLE about_kept AS SELECT genesis, incomplete, software FROM about;
DROP TABLE about;
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
INSERT INTO about SELECT 1, genesis, 1, '', 0, incomplete, software FROM about_kept;
DROP TABLE about_kept;

DROP TRIGGER records_have_no_gaps;

CREATE TRIGGER records_have_no_gaps BEFORE INSERT ON records
WHEN NEW.sequence IS NOT (SELECT COALESCE((SELECT MAX(sequence) FROM records), first_sequence - 1) + 1 FROM about)
BEGIN SELECT RAISE(ABORT, 'a record may only follow the last one'); END;

CREATE TRIGGER records_end_with_the_file BEFORE INSERT ON records
WHEN (SELECT finished FROM about)
BEGIN SELECT RAISE(ABORT, 'a finished file has no more records'); END;

-- The state after a record, so that a start need not fold from the first one. Never trusted: it is used if its record
-- has its hash, its digest holds, and the present code has made it.
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

CREATE TRIGGER snapshots_are_never_changed BEFORE UPDATE ON snapshots
BEGIN SELECT RAISE(ABORT, 'a snapshot is never changed'); END;

CREATE TRIGGER snapshots_are_never_deleted BEFORE DELETE ON snapshots
BEGIN SELECT RAISE(ABORT, 'a snapshot is never deleted'); END;
