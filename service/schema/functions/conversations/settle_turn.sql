-- Ends a turn that `worker` still holds: stores its reply, hands the conversation over when there is a reason, counts failures in a row, and
-- begins the next turn when the visitor has written meanwhile. Returns no row when the turn is held by another process or has ended.
-- `answered`: whether the model answered, null when it was not to; `ran`: whether the agent did its work, null when none was to run.
-- A reply is dropped when a person took the conversation over or closed it meanwhile: `message_id` is null then.
create or replace function settle_turn(
  conversation uuid, turn uuid, worker uuid, final_state text, reply text, stands_on jsonb, error text, reason text, first_ms int,
  answered boolean, ran boolean, lease_ms int, history_most int
) returns table (message_id uuid, message_at timestamptz(3), status text, human_name text, is_handed_off boolean, visitor_label text,
  last_visitor_text text, failures int, is_run_changed boolean, next_turn uuid, next_upto uuid, history jsonb)
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  talk conversation%rowtype;
  held conversation_turn%rowtype;
  said conversation_message%rowtype;
  newest uuid;
  following uuid;
  counted int;
  run_changed boolean := false;
  hands_off boolean := false;
begin
  select c.* into talk from conversation c where c.id = conversation for update;
  select t.* into held from conversation_turn t where t.id = turn and t.conversation_id = conversation and t.claimed_by = worker and t.finished_at is null for update;
  if held.id is null then return; end if;
  update conversation_turn t set state = final_state, error_code = error, first_token_ms = coalesce(t.first_token_ms, first_ms), finished_at = now(), visitor = null where t.id = turn;
  if talk.status = 'open' and reply <> '' then
    -- No one answers the conversations of an archived client.
    hands_off := reason is not null and not exists (select from client k where k.id = talk.client_id and k.status = 'archived');
    insert into conversation_message (partner_id, client_id, conversation_id, author, content, turn_id, passages)
      values (talk.partner_id, talk.client_id, conversation, 'bot', reply, turn, stands_on) returning * into said;
    update conversation c set last_message_at = said.at, last_message_text = left(reply, 300), last_message_author = 'bot',
        status = case when hands_off then 'handed_off' else c.status end,
        was_handed_off = c.was_handed_off or hands_off,
        handoff_reason = case when hands_off then reason else c.handoff_reason end,
        waiting_since = case when hands_off then now() else c.waiting_since end,
        reminded_at = case when hands_off then null else c.reminded_at end
      where c.id = conversation returning c.* into talk;
  end if;
  select m.id into newest from conversation_message m where m.conversation_id = conversation and m.author = 'visitor' order by m.id desc limit 1;
  if talk.status = 'open' and newest > held.upto_message_id then
    insert into conversation_turn (partner_id, client_id, conversation_id, state, upto_message_id, claimed_by, due_at, visitor)
      values (talk.partner_id, talk.client_id, conversation, 'deciding', newest, worker, now() + lease_ms * interval '1 millisecond', held.visitor) returning id into following;
  end if;
  if answered is not null or ran is not null then
    -- A removal of the person at the hand-over address holds their row before it empties that address (clear_handoff_of_removed); notifications refer to it.
    perform from app_user u join chatbot b on b.id = talk.chatbot_id and u.email = lower(b.handoff_email) where u.partner_id = talk.partner_id for key share of u;
  end if;
  if answered is not null then
    update chatbot b set failures_in_a_row = case when answered then 0 else b.failures_in_a_row + 1 end
      where b.id = talk.chatbot_id and (not answered or b.failures_in_a_row > 0) returning b.failures_in_a_row into counted;
  end if;
  if ran is not null then
    update chatbot b set is_run_failing = not ran where b.id = talk.chatbot_id and b.is_run_failing = ran;
    run_changed := found;
  end if;
  perform announce_conversation(talk.partner_id, talk.client_id, conversation, said.id);
  if held.workflow_id is not null then
    -- The run moves from the visitor's message to the reply.
    perform announce_conversation(talk.partner_id, talk.client_id, conversation, held.upto_message_id);
  end if;
  return query select said.id, said.at, talk.status, nullif(talk.assigned_name, ''), hands_off, talk.visitor_label,
    (select m.content from conversation_message m where m.id = held.upto_message_id), counted, run_changed, following,
    case when following is not null then newest end, case when following is not null then conversation_history(conversation, newest, history_most) end;
end $$;
revoke execute on function settle_turn from public;
grant execute on function settle_turn to portal_tenant;
