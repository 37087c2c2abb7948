PRAGMA application_id = 1415728485;
PRAGMA user_version = 2;
PRAGMA journal_mode = WAL;
BEGIN TRANSACTION;
CREATE TABLE about (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    -- Version of the software that opened it last.
    software TEXT NOT NULL
);
INSERT INTO "about" VALUES(1,'0.1.0');
CREATE TABLE awards (
    number INTEGER PRIMARY KEY,
    progressive TEXT NOT NULL REFERENCES progressives (id),
    table_id TEXT NOT NULL,
    round_number INTEGER NOT NULL CHECK (typeof(round_number) = 'integer'),
    position INTEGER NOT NULL CHECK (typeof(position) = 'integer'),
    amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents > 0),
    among INTEGER NOT NULL CHECK (typeof(among) = 'integer' AND among > 0),
    -- The part of the meter that all winners of the round share.
    odds_pays INTEGER NOT NULL CHECK (typeof(odds_pays) = 'integer'),
    odds_per INTEGER NOT NULL CHECK (typeof(odds_per) = 'integer'),
    win_number INTEGER NOT NULL CHECK (typeof(win_number) = 'integer' AND win_number > 0),
    meter_before INTEGER NOT NULL CHECK (typeof(meter_before) = 'integer'),
    validated_by TEXT,
    validated_at INTEGER,
    UNIQUE (progressive, table_id, round_number, position),
    CHECK ((validated_by IS NULL) = (validated_at IS NULL))
);
INSERT INTO "awards" VALUES(1,'royal-match','blackjack-7',1,1,2500075,2,1,1,1,500015000,'f.lopez',1700000000000000);
INSERT INTO "awards" VALUES(2,'royal-match','blackjack-7',1,2,2500075,2,1,1,1,500015000,NULL,NULL);
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
INSERT INTO "postings" VALUES(1,'royal-match','seed','seed',500000000,1700000000000000);
INSERT INTO "postings" VALUES(2,'royal-match','blackjack-7/1/contribution/royal_match_progressive/1','contribution',7500,1700000000000000);
INSERT INTO "postings" VALUES(3,'royal-match','blackjack-7/1/contribution/royal_match_progressive/2','contribution',7500,1700000000000000);
INSERT INTO "postings" VALUES(4,'royal-match','blackjack-7/1/award/1','award',-250007500,1700000000000000);
INSERT INTO "postings" VALUES(5,'royal-match','blackjack-7/1/award/2','award',-250007500,1700000000000000);
INSERT INTO "postings" VALUES(6,'royal-match','blackjack-7/2/contribution/royal_match_progressive/1','contribution',7500,1700000000000000);
INSERT INTO "postings" VALUES(7,'royal-match','blackjack-7/2/contribution/royal_match_progressive/2','contribution',7500,1700000000000000);
INSERT INTO "postings" VALUES(8,'royal-match','blackjack-7/2/correction/royal_match_progressive/1','correction',-7500,1700000000000000);
CREATE TABLE progressives (
    id TEXT PRIMARY KEY,
    seed_cents INTEGER NOT NULL CHECK (typeof(seed_cents) = 'integer' AND seed_cents > 0),
    -- Sum and number of its postings: a cache, compared with them at every start.
    total INTEGER NOT NULL CHECK (typeof(total) = 'integer'),
    postings INTEGER NOT NULL CHECK (typeof(postings) = 'integer' AND postings >= 0)
) WITHOUT ROWID;
INSERT INTO "progressives" VALUES('royal-match',5000000,7500,8);
CREATE TRIGGER awards_are_only_ever_validated BEFORE UPDATE ON awards
WHEN OLD.validated_by IS NOT NULL
  OR (OLD.progressive, OLD.table_id, OLD.round_number, OLD.position, OLD.amount_cents, OLD.among,
      OLD.odds_pays, OLD.odds_per, OLD.win_number, OLD.meter_before)
  IS NOT (NEW.progressive, NEW.table_id, NEW.round_number, NEW.position, NEW.amount_cents, NEW.among,
      NEW.odds_pays, NEW.odds_per, NEW.win_number, NEW.meter_before)
BEGIN SELECT RAISE(ABORT, 'an award is never changed'); END;
CREATE TRIGGER awards_are_never_deleted BEFORE DELETE ON awards
BEGIN SELECT RAISE(ABORT, 'an award is never deleted'); END;
CREATE TRIGGER postings_are_never_changed BEFORE UPDATE ON postings
BEGIN SELECT RAISE(ABORT, 'a posting is never changed'); END;
CREATE TRIGGER postings_are_never_deleted BEFORE DELETE ON postings
BEGIN SELECT RAISE(ABORT, 'a posting is never deleted'); END;
COMMIT;
