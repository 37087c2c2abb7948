-- What was heard of the rounds of tables: messages as they came, with the columns that they are found by.

CREATE TABLE about (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    -- Version of the software that opened it last.
    software TEXT NOT NULL
);

INSERT INTO about (only_row, software) VALUES (1, '');

-- The journals that a table was heard with, one after the other. A new one begins where a table says something that
-- cannot stand in the one before.
CREATE TABLE journals (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    -- The last record, and the last round, that anything was heard of.
    last_sequence INTEGER NOT NULL CHECK (typeof(last_sequence) = 'integer'),
    last_round INTEGER NOT NULL CHECK (typeof(last_round) = 'integer'),
    -- The last record that was heard and is removed because of its age; 0 while none is.
    removed_to INTEGER NOT NULL CHECK (typeof(removed_to) = 'integer')
);

CREATE INDEX journals_of_tables ON journals (table_id, id);

-- Which journal a daemon spoke of, from its start to its end.
CREATE TABLE epochs (
    table_id TEXT NOT NULL,
    epoch INTEGER NOT NULL CHECK (typeof(epoch) = 'integer'),
    journal INTEGER NOT NULL REFERENCES journals (id) ON DELETE CASCADE,
    PRIMARY KEY (table_id, epoch)
) WITHOUT ROWID;

CREATE INDEX epochs_of_journals ON epochs (journal);

-- The newest message of each kind that was heard of a round.
CREATE TABLE messages (
    journal INTEGER NOT NULL REFERENCES journals (id) ON DELETE CASCADE,
    round_number INTEGER NOT NULL CHECK (typeof(round_number) = 'integer'),
    -- Compared one by one: SQLite would build a table for IN with every row.
    kind TEXT NOT NULL CHECK (kind = 'round' OR kind = 'state' OR kind = 'settlement'),
    -- The record of the journal that it is about; who said it, by his start, and as which of his messages.
    sequence INTEGER NOT NULL CHECK (typeof(sequence) = 'integer'),
    epoch INTEGER NOT NULL CHECK (typeof(epoch) = 'integer'),
    count INTEGER NOT NULL CHECK (typeof(count) = 'integer'),
    body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
    PRIMARY KEY (journal, round_number, kind)
) WITHOUT ROWID;

-- What a round is found by; made of its messages.
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY,
    journal INTEGER NOT NULL REFERENCES journals (id) ON DELETE CASCADE,
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (typeof(number) = 'integer'),
    -- Microseconds since 1970-01-01 UTC.
    opened_at INTEGER NOT NULL CHECK (typeof(opened_at) = 'integer'),
    -- When it was first heard of, by the clock of whoever heard it: its age must not depend on a table's clock.
    heard_at INTEGER NOT NULL CHECK (typeof(heard_at) = 'integer'),
    voided INTEGER NOT NULL CHECK (voided IN (0, 1)),
    irregularities INTEGER NOT NULL CHECK (typeof(irregularities) = 'integer'),
    -- Which hand of baccarat won; empty where none did.
    winner TEXT NOT NULL CHECK (typeof(winner) = 'text'),
    UNIQUE (journal, number)
);

CREATE INDEX rounds_in_order ON rounds (table_id, journal, number);
CREATE INDEX rounds_by_number ON rounds (table_id, number, journal);
CREATE INDEX rounds_by_time ON rounds (table_id, opened_at);
CREATE INDEX rounds_by_age ON rounds (table_id, heard_at);

CREATE VIEW found_rounds AS SELECT
    rounds.*,
    -- Whether no later journal has a round of this number.
    NOT EXISTS (
        SELECT 1 FROM rounds AS later
        WHERE later.table_id = rounds.table_id AND later.number = rounds.number AND later.journal > rounds.journal
    ) AS newest
FROM rounds;

-- The accepted wagers of a round, and how each ended.
CREATE TABLE wagers (
    round INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (typeof(position) = 'integer'),
    kind TEXT NOT NULL CHECK (typeof(kind) = 'text'),
    -- Empty while nothing is said of it.
    ending TEXT NOT NULL CHECK (typeof(ending) = 'text'),
    -- What was won, by the paytable; empty otherwise.
    won_as TEXT NOT NULL CHECK (typeof(won_as) = 'text'),
    -- A share of a meter.
    award INTEGER NOT NULL CHECK (award IN (0, 1)),
    overridden INTEGER NOT NULL CHECK (overridden IN (0, 1)),
    PRIMARY KEY (round, position, kind)
) WITHOUT ROWID;

CREATE TABLE events (
    journal INTEGER NOT NULL REFERENCES journals (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL CHECK (typeof(sequence) = 'integer'),
    round_number INTEGER NOT NULL CHECK (typeof(round_number) = 'integer'),
    body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
    PRIMARY KEY (journal, sequence)
) WITHOUT ROWID;

CREATE INDEX events_of_rounds ON events (journal, round_number, sequence);
