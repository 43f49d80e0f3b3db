-- By what an invitation was reached before it was resent: such a link is told to be dead, not that there never was one.
alter table invitation add column former_token_hashes bytea[] not null default '{}';
create index invitation_former_links on invitation using gin (former_token_hashes);
