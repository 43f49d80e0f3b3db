-- Numbers and addresses (in lower case) that the settings of an agent hold, also in lists: someone of the business whom it texts or mails may be on the stop list.
-- Settings of 0.2.0 are as they were typed: numbers with blanks and brackets, addresses with a name.
create or replace function setting_recipients(config jsonb) returns text[]
language sql immutable as $$
  select array(
    select distinct case when v #>> '{}' like '+%' then '+' || regexp_replace(v #>> '{}', '\D', '', 'g') else lower(coalesce(substring(v #>> '{}' from '<([^<>]+)>\s*$'), v #>> '{}')) end
    from jsonb_path_query(config, '$.*[*] ? (@.type() == "string")') v
    where length(v #>> '{}') <= 320 and (v #>> '{}' like '+%' or v #>> '{}' like '%_@_%._%'))
$$;
revoke execute on function setting_recipients from public;
