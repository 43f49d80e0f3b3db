-- Which side made a request and which decided it: the side stays known when the person is not visible to the reader, or gone.
alter table deletion_request
  add requester_role text not null default 'PARTNER' check (requester_role in ('PARTNER', 'CLIENT')),
  add decider_role text check (decider_role in ('ADMIN', 'PARTNER', 'CLIENT'));
alter table deletion_request alter requester_role drop default;
alter table reactivation_request
  add requester_role text not null default 'PARTNER' check (requester_role in ('PARTNER', 'CLIENT')),
  add decider_role text check (decider_role in ('ADMIN', 'PARTNER'));
alter table reactivation_request alter requester_role drop default;
comment on column reactivation_request.decider_role is 'null while pending, and when the account was resumed without a decision about the request';
