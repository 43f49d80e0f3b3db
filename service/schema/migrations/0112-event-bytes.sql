-- What the dispatcher holds is counted in bytes; of an event accepted before, the most it may have is assumed.
alter table dispatch add column bytes int not null default 262144 check (bytes between 0 and 262144);
comment on column dispatch.bytes is 'size of the event as JSON';

alter table partner_quota add column failed_on date, add column failed_free int not null default 0;
comment on column partner_quota.failed_free is 'runs that failed on failed_on (UTC) and cost no credits';
