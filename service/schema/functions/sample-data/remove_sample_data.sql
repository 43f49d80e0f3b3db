-- Removes the sample data of the tenant's agency: its rows from before the end of the sample data, and their part of every sum. Returns how many runs and conversations
-- went; no row when there is none. It removes nothing since the agency was created, even where the record says so: a real row cannot be older. A tenant may not delete runs or change
-- sums, hence the rights of the owner.
create or replace function remove_sample_data() returns table (runs int, conversations int)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  agency uuid := app_partner();
  ends timestamptz;
  bound uuid;
  removed_runs int;
  removed_conversations int;
begin
  if agency is null or app_client() is not null then return; end if;
  -- A second call waits here, and then finds nothing.
  delete from sample_data s using partner p where s.partner_id = agency and p.id = agency
    returning least(s.ends_at, date_trunc('hour', p.created_at, 'UTC')) into ends;
  if ends is null then return; end if;
  bound := uuid_floor(ends);

  -- Usage first, while the ledger still has it. Lock order as elsewhere: the meter last, so that a run that ends meanwhile never waits for this and this for it.
  insert into usage_delta (partner_id, client_id, hour, counter, credits, entries)
  select agency, k.client_id, date_trunc('hour', u.at, 'UTC'), k.counter, sum(u.credits), -count(*)
  from usage_entry u cross join lateral (
    select u.kind as counter, null::uuid as client_id
    union all select 'ai_calls', u.client_id where u.kind = 'ai_tokens' and u.execution_id is null) k
  where u.partner_id = agency and u.id < bound and u.kind in ('run', 'ai_tokens') group by 2, 3, 4;
  -- The trigger notes the difference.
  update workflow_hour h set succeeded = 0, failed = 0, credits = 0, contacted = 0, helped = 0 where h.partner_id = agency and h.hour < ends;
  delete from workflow_hour h where h.partner_id = agency and h.hour < ends;

  update execution e set rerun_of = null where e.partner_id = agency and e.id >= bound and e.rerun_of < bound;
  delete from execution_payload p where p.partner_id = agency and p.id < bound;
  delete from execution e where e.partner_id = agency and e.id < bound;
  get diagnostics removed_runs = row_count;
  -- Their messages go with them.
  delete from conversation c where c.partner_id = agency and c.started_at < ends;
  get diagnostics removed_conversations = row_count;
  delete from ai_call c where c.partner_id = agency and c.id < bound;

  update workflow w set created_at = greatest(w.created_at, uuid_extract_timestamp(w.id)), last_run_at = case when w.last_run_at < ends then null else w.last_run_at end
    where w.partner_id = agency and (w.created_at < ends or w.last_run_at < ends);
  update client c set created_at = greatest(c.created_at, uuid_extract_timestamp(c.id)) where c.partner_id = agency and c.created_at < ends;

  perform 1 from partner_quota q where q.partner_id = agency for update;
  update partner_quota q set used = greatest(0, q.used - g.credits), chat_used = greatest(0, q.chat_used - g.of_chat)
    from (select coalesce(-sum(u.credits), 0)::int as credits, coalesce(-sum(u.credits) filter (where u.execution_id is null), 0)::int as of_chat
      from usage_entry u join partner_quota n on n.partner_id = u.partner_id
      where u.partner_id = agency and u.id < bound and u.kind in ('run', 'ai_tokens') and u.at >= n.period_start) g
    where q.partner_id = agency;
  update quota_period o set used = greatest(0, o.used - g.credits)
    from (select n.period_start, -sum(u.credits)::int as credits from usage_entry u
      join quota_period n on n.partner_id = u.partner_id and u.at >= n.period_start and u.at < n.period_end
      where u.partner_id = agency and u.id < bound and u.kind in ('run', 'ai_tokens') group by 1) g
    where o.partner_id = agency and o.period_start = g.period_start;
  delete from usage_entry u where u.partner_id = agency and u.id < bound and u.kind in ('run', 'ai_tokens');

  perform fold_usage(2147483647, agency);
  delete from usage_hour h where h.partner_id = agency and h.hour < ends
    and (h.credits, h.entries, h.succeeded, h.failed, h.contacted) = (0, 0, 0, 0, 0);
  delete from usage_span s where s.partner_id = agency and (s.credits, s.succeeded, s.failed) = (0, 0, 0);
  delete from agent_span s where s.partner_id = agency and (s.credits, s.succeeded, s.failed, s.helped) = (0, 0, 0, 0);
  delete from platform_hour h where h.hour < ends and (h.credits, h.entries, h.succeeded, h.failed) = (0, 0, 0, 0);
  return query select removed_runs, removed_conversations;
end $$;
revoke execute on function remove_sample_data from public;
grant execute on function remove_sample_data to portal_tenant;
