-- When the user of a session last entered the password again. Null: not since it was opened.
alter table user_session add column proven_at timestamptz(3);
