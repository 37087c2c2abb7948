-- Corrections: a voided round takes its contributions back. The meter may have been won in between, so that its
-- total is below zero until the award is validated and the seed is there again.

PRAGMA defer_foreign_keys = ON;

CREATE TABLE progressives_kept AS SELECT id, seed_cents, total, postings FROM progressives;
DROP TABLE progressives;
CREATE TABLE progressives (
    id TEXT PRIMARY KEY,
    seed_cents INTEGER NOT NULL CHECK (typeof(seed_cents) = 'integer' AND seed_cents > 0),
    -- Sum and number of its postings: a cache, compared with them at every start.
    total INTEGER NOT NULL CHECK (typeof(total) = 'integer'),
    postings INTEGER NOT NULL CHECK (typeof(postings) = 'integer' AND postings >= 0)
) WITHOUT ROWID;
INSERT INTO progressives SELECT id, seed_cents, total, postings FROM progressives_kept;
DROP TABLE progressives_kept;

CREATE TABLE postings_kept AS SELECT number, progressive, key, reason, amount, at FROM postings;
DROP TABLE postings;
CREATE TABLE postings (
    number INTEGER PRIMARY KEY,
    progressive TEXT NOT NULL REFERENCES progressives (id),
    key TEXT NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('seed', 'contribution', 'correction', 'award', 'reseed')),
    amount INTEGER NOT NULL CHECK (
        typeof(amount) = 'integer'
        AND CASE reason WHEN 'award' THEN amount < 0 WHEN 'correction' THEN amount <= 0 ELSE amount >= 0 END
    ),
    -- When, microseconds since 1970-01-01 UTC.
    at INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    UNIQUE (progressive, key)
);
INSERT INTO postings SELECT number, progressive, key, reason, amount, at FROM postings_kept;
DROP TABLE postings_kept;

CREATE TRIGGER postings_are_never_changed BEFORE UPDATE ON postings
BEGIN SELECT RAISE(ABORT, 'a posting is never changed'); END;

CREATE TRIGGER postings_are_never_deleted BEFORE DELETE ON postings
BEGIN SELECT RAISE(ABORT, 'a posting is never deleted'); END;
