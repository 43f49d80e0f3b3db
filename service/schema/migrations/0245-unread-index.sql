-- In its place, indexes.sql has one that begins with the columns of row-level security, so that the planner chooses it over that of the bell.
drop index notification_unread;
