-- Devices to which the server may send a push message when it is a person's turn: the address at the push service of
-- the browser, and the keys with which messages to it are encrypted. `site` is our address, as the device knows it.
CREATE TABLE push_subscriptions (
    endpoint TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    public_key BYTEA NOT NULL,
    auth BYTEA NOT NULL,
    language TEXT NOT NULL,
    site TEXT NOT NULL,
    renewed DOUBLE PRECISION NOT NULL
);

CREATE INDEX push_subscriptions_by_person ON push_subscriptions (person);

-- Keys that all nodes share, and that are made by the first one.
CREATE TABLE server_keys (
    name TEXT PRIMARY KEY,
    key BYTEA NOT NULL
);
