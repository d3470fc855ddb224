CREATE TABLE public.commands (
    table_id text NOT NULL,
    person text NOT NULL,
    id text NOT NULL,
    seq bigint NOT NULL
);
CREATE TABLE public.entries (
    table_id text NOT NULL,
    seq bigint NOT NULL,
    at double precision NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE public.handovers (
    digest bytea NOT NULL,
    table_id text NOT NULL,
    seat bigint NOT NULL,
    expires double precision NOT NULL
);
CREATE TABLE public.notes (
    table_id text NOT NULL,
    window_seq bigint NOT NULL,
    seat bigint NOT NULL,
    move text NOT NULL
);
CREATE TABLE public.tables (
    id text NOT NULL,
    game text NOT NULL,
    code text,
    public boolean NOT NULL,
    phase text NOT NULL,
    seq bigint NOT NULL,
    due double precision,
    opened double precision NOT NULL,
    touched double precision NOT NULL
);
CREATE TABLE public.versions (
    version bigint NOT NULL
);
INSERT INTO public.commands VALUES ('garden', 'zoë', 'c1', 2);
INSERT INTO public.commands VALUES ('garden', 'bob', 'c1', 3);
INSERT INTO public.commands VALUES ('cellar', 'kim', 'n1', 1);
INSERT INTO public.entries VALUES ('garden', 1, 1700000000.25, '\x7b226b696e64223a20226f70656e6564222c20226279223a20225a6fc3ab227d');
INSERT INTO public.entries VALUES ('garden', 2, 1700000001.5, '\x7b226b696e64223a20226d6f766564222c202273656174223a20312c20226d6f7665223a202273746f636b2031227d');
INSERT INTO public.entries VALUES ('garden', 3, 1700000002, '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff');
INSERT INTO public.entries VALUES ('cellar', 1, 1700000003, '\x7b226b696e64223a20226f70656e6564227d');
INSERT INTO public.entries VALUES ('attic', 1, 1600000000, '\x7b226b696e64223a20226f70656e6564227d');
INSERT INTO public.handovers VALUES ('\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'garden', 2, 1700000600);
INSERT INTO public.notes VALUES ('cellar', 1, 2, 'block');
INSERT INTO public.tables VALUES ('garden', 'stockpile', 'RSVP', true, 'open', 3, NULL, 1700000002, 1700000002);
INSERT INTO public.tables VALUES ('cellar', 'stacks', NULL, false, 'playing', 1, 1700000060.5, 1700000003, 1700000003);
INSERT INTO public.tables VALUES ('attic', 'lines', NULL, true, 'archived', 1, NULL, 1600000000, 1600000000);
INSERT INTO public.versions VALUES (1);
ALTER TABLE ONLY public.commands
    ADD CONSTRAINT commands_pkey PRIMARY KEY (table_id, person, id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (table_id, seq);
ALTER TABLE ONLY public.handovers
    ADD CONSTRAINT handovers_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_pkey PRIMARY KEY (table_id, window_seq, seat);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY (version);
CREATE UNIQUE INDEX tables_by_code ON public.tables USING btree (code) WHERE (code IS NOT NULL);
CREATE INDEX tables_by_due ON public.tables USING btree (due) WHERE (due IS NOT NULL);
CREATE INDEX tables_by_opening ON public.tables USING btree (opened) WHERE (public AND (phase = 'open'::text));
