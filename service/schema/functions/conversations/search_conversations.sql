-- Ids of the conversations of one agency (or one of its clients) that hold all words: those of its newest `most` messages that match, and
-- those whose visitor's label starts with the text. Policies would keep an index on words from serving, hence the rights of the owner; the
-- ids are read under the reader's own policies. A tenant finds its own only, also under the name of another.
create or replace function search_conversations(partner uuid, client uuid, words text, label text, most int) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  -- As in the index conversation_message_words: without accents, and without what joins words to one, such as the characters of an address or a date.
  held constant text := $held$to_tsvector('simple', translate(
    replace(replace(replace(replace(replace(replace(replace(replace(normalize(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]', '', 'g'), nfc),
      'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'),
    '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~øØłŁđĐðÐı', repeat(' ', 32) || 'oollddddi'))$held$;
  fence text := '';
  matches int;
begin
  if current_setting('role') <> 'portal_system' and (partner is distinct from app_partner() or (app_client() is not null and client is distinct from app_client()))
  then return;
  end if;
  -- Over all agencies, the planner takes every word for common, and would read all messages for a rare one. A word with fewer matches than this is sorted.
  if partner is null and client is null then
    execute 'select count(*) from (select from conversation_message where ' || held || ' @@ to_tsquery(''simple'', $1) limit 5000) m' into matches using words;
    if matches < 5000 then fence := 'offset 0'; end if;
  end if;
  -- Planned with these values: a common word is found in the newest messages, a rare one by the index on words.
  return query execute 'select distinct m.conversation_id from (
      select conversation_id from (select id, conversation_id from conversation_message
        where ($1 is null or partner_id = $1) and ($2 is null or client_id = $2) and ' || held || ' @@ to_tsquery(''simple'', $3) ' || fence || ') x
      order by id desc limit $5) m
    union (select id from conversation where ($1 is null or partner_id = $1) and ($2 is null or client_id = $2) and lower(visitor_label) like $4 limit $5)'
    using partner, client, words, label, most;
end $$;
revoke execute on function search_conversations from public;
grant execute on function search_conversations to portal_tenant, portal_system;
