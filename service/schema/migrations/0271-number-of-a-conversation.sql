-- A visitor has one phone number in a conversation: agents reach no other one.
alter table conversation add column visitor_number text;
comment on column conversation.visitor_number is 'E.164; the number that agents text for this visitor, from the first run that names one';
