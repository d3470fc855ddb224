-- Recovery phrases: the digest of the phrase, and the person's number, encrypted with the phrase.
CREATE TABLE recoveries (
    digest BYTEA PRIMARY KEY,
    person TEXT NOT NULL UNIQUE,
    sealed BYTEA NOT NULL
);
