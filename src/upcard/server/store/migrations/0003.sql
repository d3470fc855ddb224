-- A command id that arrives with another request is a mistake of the client: the digest of the request tells.
ALTER TABLE commands ADD COLUMN request BYTEA NOT NULL DEFAULT '';

-- The person who took a seat with a code can repeat the request if the answer was lost.
ALTER TABLE handovers ADD COLUMN taken_by TEXT NOT NULL DEFAULT '';
