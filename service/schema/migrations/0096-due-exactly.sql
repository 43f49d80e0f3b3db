-- timestamptz(3) rounds, so that now() could lie half a millisecond ahead and a due row was only found by the next poll.
alter table dispatch alter column due_at type timestamptz;
