-- conversation_newest (indexes.sql) takes its place: staff's list is ordered by the last message and the id, and many last messages may have one time.
drop index conversation_age;
