-- Who is at a table that waits for players: the public list shows tables at which someone is, and the host is one of
-- those who are there. Rows are renewed while a person is connected. The address is a digest with a salt that no node
-- writes down.
CREATE TABLE attendance (
    table_id TEXT NOT NULL,
    person TEXT NOT NULL,
    address BYTEA NOT NULL,
    until DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (table_id, person)
);
