-- A moment rounded to milliseconds may lie half of one in the future: what was made due at once was then found a poll later.
alter table dispatch alter column due_at type timestamptz;
