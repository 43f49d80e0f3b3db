-- Returns an agent as a direct call needs it, and the run with this id when there is one: `ran_by` is its agent. The contact decides about last contact and stop list, the number that the flow may text, the address that it may mail and the recipients of its settings about the stop list as well, the event about what was sent about the same quote or visit (sent_about).
create or replace function direct_run(execution_id uuid, workflow_id uuid, contact text, texted_number text, mailed_address text, event jsonb)
returns table (partner_id uuid, client_id uuid, provider_flow_id text, template_name text, template_version int, config jsonb, client_name text, timezone text, locale text,
  business_profile jsonb, text_countries text[], business_phone text, last_contact_at timestamptz, about_at timestamptz, last_mail_at timestamptz, opted_out boolean, number_opted_out boolean, listed_addresses text[], ran_by uuid, status text, started_at timestamptz, summary text, error_code text,
  error_message text, input jsonb, understood jsonb, output jsonb)
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select w.partner_id, w.client_id, w.provider_flow_id, w.template_name, w.template_version, w.config, coalesce(k.name, a.name), coalesce(k.timezone, a.timezone), coalesce(k.locale, 'en'),
    coalesce(k.business_profile, '{}'), k.text_countries, k.phone,
    (select m.last_at from workflow_contact m where m.partner_id = w.partner_id and m.workflow_id = w.id and m.contact = direct_run.contact),
    r.contact_at, r.mail_at,
    exists (select 1 from opt_out o where o.partner_id = w.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = direct_run.contact),
    exists (select 1 from opt_out o where o.partner_id = w.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = direct_run.texted_number),
    array(
      select n.address from unnest(direct_run.mailed_address || setting_recipients(w.config)) n(address)
      where exists (select 1 from opt_out o where o.partner_id = w.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = n.address)),
    e.workflow_id, e.status, e.started_at, e.summary, e.error_code, e.error_message, p.input, p.understood, p.output
  from workflow w
  join partner a on a.id = w.partner_id
  left join client k on k.id = w.client_id
  left join execution e on e.id = direct_run.execution_id and e.partner_id = w.partner_id and e.source = 'chatbot'
  left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
  cross join lateral sent_about(w.id, direct_run.event, array[direct_run.contact, direct_run.texted_number], array[direct_run.mailed_address], false) r
  where w.id = direct_run.workflow_id
$$;
revoke execute on function direct_run from public;
grant execute on function direct_run to portal_service;
