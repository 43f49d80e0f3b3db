-- Token hashes from before a resend: such a link is reported as replaced rather than unknown.
alter table invitation add column former_token_hashes bytea[] not null default '{}';
create index invitation_former_links on invitation using gin (former_token_hashes);
