-- What operators did: the audit log. Running nodes read it to follow what was done.
CREATE TABLE audit (
    id BIGINT PRIMARY KEY,
    at DOUBLE PRECISION NOT NULL,
    operator TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL
);

-- People (by their mark) and addresses or networks that may not play.
CREATE TABLE bans (
    target TEXT PRIMARY KEY,
    at DOUBLE PRECISION NOT NULL,
    reason TEXT NOT NULL
);

CREATE TABLE denied_names (
    pattern TEXT PRIMARY KEY
);

-- What players reported: each player at a table is reported once by each other.
CREATE TABLE reports (
    table_id TEXT NOT NULL,
    reporter TEXT NOT NULL,
    seat BIGINT NOT NULL,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (table_id, reporter, seat)
);
