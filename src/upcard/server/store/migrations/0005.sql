-- The tables at which a person has a seat. Older tables are added when they are next written to.
CREATE TABLE seats (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
);

CREATE INDEX seats_by_table ON seats (table_id);
