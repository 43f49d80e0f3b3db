-- Returns the values by which events are read, as one text: an event that was read by other ones is read again (accept_executions).
create or replace function reading_basis(timezone text, phone text, locale text, text_countries text[], event_id_from jsonb, date_order text, config jsonb) returns text
language sql stable set search_path = public, pg_temp as $$
  select concat_ws('|', timezone, coalesce(phone, '-'), coalesce(locale, '-'), coalesce(array_to_string(text_countries, ','), '-'),
    coalesce(event_id_from::text, '-'), coalesce(date_order, '-'), coalesce(config->>'leadHours', '-'), coalesce(config->>'delays', '-'))
$$;
revoke execute on function reading_basis from public;
