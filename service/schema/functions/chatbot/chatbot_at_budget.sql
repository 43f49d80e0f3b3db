-- Whether a chatbot answers no one right now because a budget had no room: its own of today, or with a platform key the share or the reserve of its agency. With the
-- rights of the owner, since a client, who reads whether its chatbot answers, sees no credits; for chatbots in the caller's scope only.
create or replace function chatbot_at_budget(of_chatbot uuid) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return coalesce((
    select exists (select from chat_spending s where s.partner_id = b.partner_id and s.scope = 'chatbot' and s.subject = b.id and s.day = (now() at time zone 'UTC')::date
        and s.reached_limit >= q.chatbot_credits)
      or (q.period_end > now() and (q.chat_share_reached >= chat_share(q.monthly_credits + q.purchased_credits, q.chat_share_percent)
          or q.chat_reserve_reached >= chat_ceiling(q.monthly_credits + q.purchased_credits))
        and (select k.source_mode from effective_credential(b.partner_id, b.client_id, b.provider) k) = 'platform')
    from chatbot b join partner_quota q on q.partner_id = b.partner_id
    where b.id = of_chatbot and (current_setting('role') = 'portal_system' or (b.partner_id = app_partner() and (app_client() is null or b.client_id = app_client())))), false);
end $$;
revoke execute on function chatbot_at_budget from public;
grant execute on function chatbot_at_budget to portal_tenant, portal_system;
