-- The stop list says why a contact is on it and since which run; keywords of texts (core/contact/opt-out.ts) end their runs before the flow.
alter table opt_out
  add column id uuid,
  add column reason text not null default 'agent' check (reason in ('word', 'provider', 'agent', 'agency', 'client')),
  add column execution_id uuid,
  add column note text check (length(note) <= 500),
  add column added_by uuid references app_user on delete set null;
update opt_out set id = uuidv7(at - now());
alter table opt_out alter column id set default uuidv7(), alter column id set not null;
alter table opt_out add primary key (id);
comment on column opt_out.reason is 'how it was recognized: a word in a text, the phone provider''s field, an agent (its language model), or who added it by hand';
comment on column opt_out.execution_id is 'the run that brought it, also after that run was deleted';
create index opt_out_list on opt_out (partner_id, client_id, id desc);
create index opt_out_added_by on opt_out (added_by);
grant insert (partner_id, client_id, contact, reason, note, added_by), delete on opt_out to portal_tenant;

alter table dispatch add column keyword text check (keyword in ('opt_out', 'opt_in', 'help')), add column texted_number text;
comment on column dispatch.keyword is 'what the text of the event asks for besides an answer: its run ends before the flow';
comment on column dispatch.texted_number is 'number that the flow may text (E.164), when it is another than the contact';
