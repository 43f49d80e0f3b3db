-- The chatbot that the demo website carries; at most one row.
create table sandbox.website (
  id boolean primary key default true check (id),
  chatbot_id uuid not null
);
