-- Notes how many tokens the answers under way have so far, for the case that their process ends before it settles them.
create or replace function note_ai_calls(call_ids uuid[], outputs int[]) returns void
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  update ai_call c set output_tokens = greatest(c.output_tokens, t.tokens) from unnest(call_ids, outputs) as t(id, tokens)
  where c.id = t.id and c.status = 'reserved'
$$;
revoke execute on function note_ai_calls from public;
grant execute on function note_ai_calls to portal_service;
