-- Loads the extension's settings, which only a session that has loaded them lets a function name.
select show_limit();

-- Whether the caller may read the chatbot. The functions below have the rights of their owner, because an index may serve a search by words only
-- where no policy stands before it.
create or replace function may_read_chatbot(of_chatbot uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from chatbot c where c.id = of_chatbot and (current_setting('role') = 'portal_system'
    or (c.partner_id = (select app_partner()) and ((select app_client()) is null or c.client_id = (select app_client())))))
$$;
revoke execute on function may_read_chatbot from public;

-- Returns the words of a chatbot's knowledge that resemble each word of `asked`, with how many passages have them. For a word that the knowledge has,
-- only its other forms are of interest: few words resemble it that much, so that the index reads little.
create or replace function similar_knowledge_words(of_chatbot uuid, asked text[], most int)
  returns table (n int, word text, passages int)
language plpgsql volatile security definer set search_path = public, pg_temp set pg_trgm.similarity_threshold = 0.3 as $$
declare
  known text[] := array(select w.word from knowledge_word w where w.chatbot_id = of_chatbot and w.word = any(asked));
begin
  if not may_read_chatbot(of_chatbot) then return; end if;
  perform set_config('pg_trgm.similarity_threshold', '0.5', true);
  return query
    select a.n::int - 1, near.word, near.passages
    from unnest(asked) with ordinality as a (word, n),
      lateral (select w.word, w.passages from knowledge_word w where w.chatbot_id = of_chatbot and w.word % a.word
        order by similarity(w.word, a.word) desc, w.word limit most) near
    where a.word = any(known);
  -- Exchanged letters leave a short word little in common with itself.
  perform set_config('pg_trgm.similarity_threshold', '0.2', true);
  return query
    select a.n::int - 1, near.word, near.passages
    from unnest(asked) with ordinality as a (word, n),
      lateral (select w.word, w.passages from knowledge_word w where w.chatbot_id = of_chatbot and w.word % a.word
        order by similarity(w.word, a.word) desc, w.word limit most) near
    where a.word <> all(known) and length(a.word) < 7;
  perform set_config('pg_trgm.similarity_threshold', '0.3', true);
  return query
    select a.n::int - 1, near.word, near.passages
    from unnest(asked) with ordinality as a (word, n),
      lateral (select w.word, w.passages from knowledge_word w where w.chatbot_id = of_chatbot and w.word % a.word
        order by similarity(w.word, a.word) desc, w.word limit most) near
    where a.word <> all(known) and length(a.word) >= 7;
end $$;
revoke execute on function similar_knowledge_words from public;
grant execute on function similar_knowledge_words to portal_tenant, portal_system;

-- Returns passages of a chatbot with the words of a question. `groups`: of which word of the question each of `words` is a form; of each group the
-- greatest weight counts. `score`: their sum; `density`: how often and where they are found.
create or replace function find_knowledge(of_chatbot uuid, candidates text, words text[], weights real[], groups int[], most int)
  returns table (document_id uuid, title text, heading text, content text, score real, density real)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  terms tsquery[] := (select array_agg(w.word::tsquery order by w.n) from unnest(words) with ordinality as w (word, n));
  any_term tsquery := array_to_string(words, ' | ')::tsquery;
  group_terms tsquery[];
  group_weights real[];
begin
  if not may_read_chatbot(of_chatbot) then return; end if;
  select array_agg(g.term), array_agg(g.weight) into group_terms, group_weights
    from (select string_agg(t.word, ' | ')::tsquery as term, max(t.weight) as weight from unnest(words, weights, groups) as t (word, weight, grp) group by t.grp) g;
  return query
    -- Without positions, and unpacked once for all terms.
    with hit as materialized (
      select p.id, strip(p.search) as search from knowledge_passage p where p.chatbot_id = of_chatbot and p.search @@ candidates::tsquery limit 400),
    likely as materialized (
      select h.id from hit h
      order by (select sum(g.weight) from unnest(group_terms, group_weights) as g (term, weight) where h.search @@ g.term) desc nulls last, h.id
      limit most * 6),
    scored as (
      select h.id, (select sum(x.best)::real from (select max(t.weight) as best from unnest(terms, weights, groups) as t (term, weight, grp)
        where h.search @@ t.term group by t.grp) x) as score
      from likely l join hit h on h.id = l.id)
    select p.document_id, d.title, p.heading, p.content, s.score, ts_rank('{0.2, 0.2, 0.5, 1}', p.search, any_term, 1) as density
    from scored s join knowledge_passage p on p.id = s.id join knowledge_document d on d.id = p.document_id;
end $$;
revoke execute on function find_knowledge from public;
grant execute on function find_knowledge to portal_tenant, portal_system;
