-- The same text makes the tables of SQLite, to which a column may be of any type, and of PostgreSQL.

CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    code TEXT,
    public BOOLEAN NOT NULL,
    phase TEXT NOT NULL,
    seq BIGINT NOT NULL,
    due DOUBLE PRECISION,
    opened DOUBLE PRECISION NOT NULL,
    touched DOUBLE PRECISION NOT NULL
);

CREATE UNIQUE INDEX tables_by_code ON tables (code) WHERE code IS NOT NULL;

CREATE INDEX tables_by_due ON tables (due) WHERE due IS NOT NULL;

CREATE INDEX tables_by_opening ON tables (opened) WHERE public AND phase = 'open';

CREATE TABLE entries (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (table_id, seq)
);

CREATE TABLE commands (
    table_id TEXT NOT NULL,
    person TEXT NOT NULL,
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (table_id, person, id)
);

CREATE TABLE notes (
    table_id TEXT NOT NULL,
    window_seq BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    move TEXT NOT NULL,
    PRIMARY KEY (table_id, window_seq, seat)
);

CREATE TABLE handovers (
    digest BYTEA PRIMARY KEY,
    table_id TEXT NOT NULL,
    seat BIGINT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);
