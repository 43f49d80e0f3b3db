-- Rate-limit counters shared by all processes. Unlogged: losing them in a crash is acceptable (limits that must hold, such as five MFA
-- attempts, are columns). The only table the login role uses outside a transaction; it holds no tenant data.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);
grant select, insert, update, delete on rate_limit to portal_service;
