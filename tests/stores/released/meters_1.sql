PRAGMA application_id = 1415728485;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
BEGIN TRANSACTION;
CREATE TABLE about (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    -- Version of the software that opened it last.
    software TEXT NOT NULL
);
INSERT INTO "about" VALUES(1,'0.1.0');
CREATE TABLE award_acts (
    number INTEGER PRIMARY KEY,
    award INTEGER NOT NULL REFERENCES awards (number),
    act TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by <> ''),
    reason TEXT NOT NULL,
    -- When it was done, as the table recorded it; when it was recorded here; microseconds since 1970-01-01 UTC.
    done_at INTEGER NOT NULL CHECK (typeof(done_at) = 'integer'),
    answers INTEGER NOT NULL CHECK (typeof(answers) = 'integer'),
    at INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    UNIQUE (award, act)
);
INSERT INTO "award_acts" VALUES(1,1,'hand_verified','f.lopez','',1000,10,1700000005000000);
INSERT INTO "award_acts" VALUES(2,1,'lamp_verified','f.lopez','',1001,10,1700000005000000);
INSERT INTO "award_acts" VALUES(3,1,'validated','f.lopez','',1002,10,1700000005000000);
INSERT INTO "award_acts" VALUES(4,2,'rejected','f.lopez','a card was marked',2000,10,1700000006000000);
CREATE TABLE awards (
    number INTEGER PRIMARY KEY,
    progressive TEXT NOT NULL REFERENCES progressives (id),
    table_id TEXT NOT NULL,
    round_number INTEGER NOT NULL CHECK (typeof(round_number) = 'integer'),
    position INTEGER NOT NULL CHECK (typeof(position) = 'integer'),
    among INTEGER NOT NULL CHECK (typeof(among) = 'integer' AND among > 0),
    odds_pays INTEGER NOT NULL CHECK (typeof(odds_pays) = 'integer'),
    odds_per INTEGER NOT NULL CHECK (typeof(odds_per) = 'integer'),
    win_number INTEGER NOT NULL CHECK (typeof(win_number) = 'integer' AND win_number > 0),
    meter_before INTEGER NOT NULL CHECK (typeof(meter_before) = 'integer'),
    UNIQUE (progressive, table_id, round_number, position)
);
INSERT INTO "awards" VALUES(1,'royal-match','blackjack-7',1,2,2,1,1,1,500022500);
INSERT INTO "awards" VALUES(2,'royal-match','blackjack-7',1,5,2,1,1,1,500022500);
CREATE TABLE held_contributions (
    number INTEGER PRIMARY KEY,
    progressive TEXT NOT NULL REFERENCES progressives (id),
    key TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (typeof(amount) = 'integer' AND amount > 0),
    hidden INTEGER NOT NULL CHECK (typeof(hidden) = 'integer' AND hidden >= 0),
    -- What was unreasonable then.
    above_cents INTEGER NOT NULL CHECK (typeof(above_cents) = 'integer'),
    table_id TEXT NOT NULL,
    round_number INTEGER NOT NULL CHECK (typeof(round_number) = 'integer'),
    answers INTEGER NOT NULL CHECK (typeof(answers) = 'integer'),
    at INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    UNIQUE (progressive, key)
);
INSERT INTO "held_contributions" VALUES(1,'royal-match','blackjack-7/1/contribution/royal_match_progressive/4',75000,0,75,'blackjack-7',1,10,1700000003000000);
CREATE TABLE postings (
    number INTEGER PRIMARY KEY,
    progressive TEXT NOT NULL REFERENCES progressives (id),
    -- What happens once: a change of several pools has one row for each of them.
    key TEXT NOT NULL,
    -- Compared one by one: SQLite would build a table for IN with every row.
    pool TEXT NOT NULL CHECK (pool = 'display' OR pool = 'overflow' OR pool = 'reserve'),
    reason TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (typeof(amount) = 'integer'),
    -- By how many qualifying wagers the in-meter counts on.
    wagers INTEGER NOT NULL CHECK (typeof(wagers) = 'integer' AND wagers BETWEEN -1 AND 1),
    award INTEGER REFERENCES awards (number),
    -- The held contribution that is done with.
    settles INTEGER REFERENCES held_contributions (number),
    -- The round that asked for it and the record of its journal that was answered; a person's has a table only.
    table_id TEXT,
    round_number INTEGER CHECK (round_number IS NULL OR table_id IS NOT NULL),
    answers INTEGER CHECK ((answers IS NULL) = (round_number IS NULL)),
    -- A person, or 'rules worker'.
    by TEXT NOT NULL CHECK (by <> ''),
    text TEXT NOT NULL,
    -- When, microseconds since 1970-01-01 UTC.
    at INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    UNIQUE (progressive, key, pool),
    CONSTRAINT a_meter_falls_only_for_a_named_reason_and_with_its_text CHECK (
        amount >= 0
        OR pool <> 'display'
        OR reason IN ('award', 'correction', 'limit_correction', 'transfer', 'gaming_ended') AND trim(text) <> ''
    ),
    CONSTRAINT a_reason_says_what_moves CHECK (
        CASE reason
            WHEN 'seed' THEN pool = 'display' AND amount > 0
            WHEN 'contribution' THEN pool <> 'reserve' AND amount >= 0
            WHEN 'reserve' THEN pool = 'reserve' AND amount > 0
            WHEN 'correction' THEN TRUE
            WHEN 'award' THEN pool = 'display' AND amount <= 0 AND award IS NOT NULL
            WHEN 'reseed' THEN pool <> 'display' OR amount > 0
            WHEN 'restoration' THEN pool <> 'reserve' AND amount >= 0 AND award IS NOT NULL
            WHEN 'limit_correction' THEN (pool = 'display' AND amount < 0) OR (pool = 'overflow' AND amount > 0)
            WHEN 'transfer' THEN TRUE
            WHEN 'gaming_ended' THEN amount <= 0
            WHEN 'parameters' THEN amount = 0
            ELSE FALSE
        END
    )
);
INSERT INTO "postings" VALUES(1,'royal-match','seed','display','seed',500000000,0,NULL,NULL,NULL,NULL,NULL,'rules worker','filed under rules submission abababababababababababababababababababababababababababababababab',1700000001000000);
INSERT INTO "postings" VALUES(2,'royal-match','blackjack-7/1/contribution/royal_match_progressive/1','display','contribution',7500,1,NULL,NULL,'blackjack-7',1,10,'rules worker','',1700000002000000);
INSERT INTO "postings" VALUES(3,'royal-match','blackjack-7/1/contribution/royal_match_progressive/2','display','contribution',7500,1,NULL,NULL,'blackjack-7',1,10,'rules worker','',1700000002000000);
INSERT INTO "postings" VALUES(4,'royal-match','blackjack-7/1/contribution/royal_match_progressive/3','display','contribution',7500,1,NULL,NULL,'blackjack-7',1,10,'rules worker','',1700000002000000);
INSERT INTO "postings" VALUES(5,'royal-match','blackjack-7/1/award/2','display','award',-250011200,0,1,NULL,'blackjack-7',1,10,'rules worker','win 1: 25,001.12, one of 2 shares of 100% of meter at 50,002.2500',1700000004000000);
INSERT INTO "postings" VALUES(6,'royal-match','blackjack-7/1/award/5','display','award',-250011200,0,2,NULL,'blackjack-7',1,10,'rules worker','win 1: 25,001.12, one of 2 shares of 100% of meter at 50,002.2500',1700000004000000);
INSERT INTO "postings" VALUES(7,'royal-match','blackjack-7/1/restoration/5','display','restoration',250011200,0,2,NULL,'blackjack-7',1,10,'f.lopez','the claim of position 5 is rejected by f.lopez: a card was marked',1700000006000000);
INSERT INTO "postings" VALUES(8,'royal-match','blackjack-7/1/award/2/without/5','display','award',-250011300,0,1,NULL,'blackjack-7',1,10,'f.lopez','raised to 50,002.25, one of 1 shares: the claim of position 5 is rejected by f.lopez: a card was marked',1700000006000000);
INSERT INTO "postings" VALUES(9,'royal-match','person/desk/1/1','display','correction',100,0,NULL,NULL,'blackjack-7',NULL,NULL,'p.meier','report 12: the sign was struck by water',1700000007000000);
CREATE TABLE progressives (
    id TEXT PRIMARY KEY,
    base_cents INTEGER NOT NULL CHECK (typeof(base_cents) = 'integer' AND base_cents > 0),
    reset_cents INTEGER NOT NULL CHECK (typeof(reset_cents) = 'integer' AND reset_cents > 0),
    -- A rate is so many parts of so many.
    increment_parts INTEGER NOT NULL CHECK (typeof(increment_parts) = 'integer'),
    increment_per INTEGER NOT NULL CHECK (typeof(increment_per) = 'integer' AND increment_per > 0),
    hidden_parts INTEGER NOT NULL CHECK (typeof(hidden_parts) = 'integer'),
    hidden_per INTEGER NOT NULL CHECK (typeof(hidden_per) = 'integer' AND hidden_per > 0),
    -- NULL where none is filed.
    limit_cents INTEGER CHECK (limit_cents IS NULL OR typeof(limit_cents) = 'integer'),
    unreasonable_cents INTEGER CHECK (unreasonable_cents IS NULL OR typeof(unreasonable_cents) = 'integer'),
    -- Below zero only while a meter that was won gives back what a voided round had put into it.
    display INTEGER NOT NULL CHECK (typeof(display) = 'integer'),
    overflow INTEGER NOT NULL CHECK (typeof(overflow) = 'integer' AND overflow >= 0),
    reserve INTEGER NOT NULL CHECK (typeof(reserve) = 'integer' AND reserve >= 0),
    -- How many postings, acts and held contributions it is made of.
    records INTEGER NOT NULL CHECK (typeof(records) = 'integer' AND records >= 0),
    in_meter INTEGER NOT NULL CHECK (typeof(in_meter) = 'integer'),
    hits INTEGER NOT NULL CHECK (typeof(hits) = 'integer' AND hits >= 0),
    wins_cents INTEGER NOT NULL CHECK (typeof(wins_cents) = 'integer' AND wins_cents >= 0),
    -- No device of a live table pays an award by itself, so what one paid stays nothing.
    device_paid_cents INTEGER NOT NULL CHECK (device_paid_cents = 0),
    attendant_paid_cents INTEGER NOT NULL CHECK (typeof(attendant_paid_cents) = 'integer'),
    cumulative_paid_cents INTEGER NOT NULL CHECK (
        cumulative_paid_cents = device_paid_cents + attendant_paid_cents
    )
) WITHOUT ROWID;
INSERT INTO "progressives" VALUES('royal-match',5000000,5000000,3,20,0,1,NULL,75,100,0,0,14,3,1,5000225,0,0,0);
CREATE TRIGGER what_was_paid_never_falls BEFORE UPDATE ON progressives
WHEN NEW.device_paid_cents < OLD.device_paid_cents OR NEW.attendant_paid_cents < OLD.attendant_paid_cents
BEGIN SELECT RAISE(ABORT, 'what was paid never becomes less'); END;
CREATE TRIGGER a_meter_keeps_its_name_and_base_amount BEFORE UPDATE OF id, base_cents ON progressives
WHEN NEW.id <> OLD.id OR NEW.base_cents <> OLD.base_cents
BEGIN SELECT RAISE(ABORT, 'a meter keeps its name and what it began with'); END;
CREATE TRIGGER progressives_are_never_deleted BEFORE DELETE ON progressives
BEGIN SELECT RAISE(ABORT, 'a meter is never deleted'); END;
CREATE TRIGGER nothing_is_done_about_an_award_that_is_over BEFORE INSERT ON award_acts
WHEN EXISTS (SELECT 1 FROM award_acts WHERE award = NEW.award AND act IN ('reset', 'rejected'))
  OR NEW.act = 'rejected' AND EXISTS (SELECT 1 FROM award_acts WHERE award = NEW.award AND act = 'paid')
BEGIN SELECT RAISE(ABORT, 'this award is over, or paid'); END;
CREATE INDEX postings_of_awards ON postings (award) WHERE award IS NOT NULL;
CREATE UNIQUE INDEX a_held_contribution_is_settled_once ON postings (settles) WHERE settles IS NOT NULL;
CREATE TRIGGER postings_are_never_changed BEFORE UPDATE ON postings
BEGIN SELECT RAISE(ABORT, 'a posting is never changed'); END;
CREATE TRIGGER postings_are_never_deleted BEFORE DELETE ON postings
BEGIN SELECT RAISE(ABORT, 'a posting is never deleted'); END;
CREATE TRIGGER awards_are_never_changed BEFORE UPDATE ON awards
BEGIN SELECT RAISE(ABORT, 'an award is never changed'); END;
CREATE TRIGGER awards_are_never_deleted BEFORE DELETE ON awards
BEGIN SELECT RAISE(ABORT, 'an award is never deleted'); END;
CREATE TRIGGER acts_are_never_changed BEFORE UPDATE ON award_acts
BEGIN SELECT RAISE(ABORT, 'an act is never changed'); END;
CREATE TRIGGER acts_are_never_deleted BEFORE DELETE ON award_acts
BEGIN SELECT RAISE(ABORT, 'an act is never deleted'); END;
CREATE TRIGGER held_contributions_are_never_changed BEFORE UPDATE ON held_contributions
BEGIN SELECT RAISE(ABORT, 'a held contribution is never changed'); END;
CREATE TRIGGER held_contributions_are_never_deleted BEFORE DELETE ON held_contributions
BEGIN SELECT RAISE(ABORT, 'a held contribution is never deleted'); END;
COMMIT;
