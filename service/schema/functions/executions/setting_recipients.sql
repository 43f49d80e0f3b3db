-- Numbers and addresses (in lower case) that the settings of an agent hold, also in lists: someone of the business whom it texts or mails may be on the stop list.
create or replace function setting_recipients(config jsonb) returns text[]
language sql immutable as $$
  select array(
    select distinct lower(v #>> '{}') from jsonb_path_query(config, '$.*[*] ? (@.type() == "string")') v
    where length(v #>> '{}') <= 320 and (v #>> '{}' like '+%' or v #>> '{}' like '%_@_%._%'))
$$;
revoke execute on function setting_recipients from public;
