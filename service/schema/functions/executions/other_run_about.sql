-- Returns when another run of the agent that may text the same person about the same quote or visit was claimed, of those that have not ended: an earlier one, or
-- any when this one is sent for the first time (claim_dispatches). A visit that is not confirmed is not reminded of.
create or replace function other_run_about(agent uuid, owner uuid, run uuid, is_first boolean, claimed uuid[], person text, event jsonb) returns timestamptz
language sql stable set search_path = public, pg_temp as $$
  select max(o.at) from (
    select u.execution_id, u.handed_at as at from under_way u where u.workflow_id = agent and u.contact = person
    union all
    select d.execution_id, d.due_at from dispatch d where d.partner_id = owner and d.claimed_until is not null and d.workflow_id = agent and d.contact = person and d.texts) o
    join execution_payload p on p.partner_id = owner and p.id = o.execution_id
    cross join lateral (select p.input || coalesce(p.understood, '{}') as event) e
    cross join lateral (select case when e.event ? 'quoteUrl' then 'nudge' else 'reminder' end as kind) k
  where (o.execution_id < run or (is_first and o.execution_id <> all(claimed)))
    and other_run_about.event ?| array['quoteUrl', 'startTime', 'bookingUid']
    and (other_run_about.event ? 'quoteUrl') = (k.kind = 'nudge') and plan_subject(k.kind, e.event) = plan_subject(k.kind, other_run_about.event)
    and e.event->'confirmed' is distinct from 'false'
$$;
revoke execute on function other_run_about from public;
