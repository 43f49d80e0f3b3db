-- Which account a notification or mail names: staff are notified of agencies, and a team of its clients. A purge removes them with the account.

alter table notification add about_partner_id uuid, add about_client_id uuid;
comment on column notification.about_partner_id is 'the agency it names, which is not that of a recipient of the staff; no reference, since the row goes with the account';
alter table mail add about_partner_id uuid, add about_client_id uuid;
comment on column mail.about_partner_id is 'as of notification';

-- Links name the account. Those of requests lead to it.
update notification n set about_partner_id = p.id from partner p
  where p.id::text = substring(n.href from '^/admin/partners/([0-9a-f-]{36})');
update notification n set about_client_id = c.id from client c
  where c.id::text = substring(n.href from '^/dashboard/clients/([0-9a-f-]{36})') and c.partner_id = n.partner_id;
update notification n set about_partner_id = r.partner_id, about_client_id = r.client_id from agent_request r
  where n.subject = 'agent_request:' || r.id;
update mail m set about_partner_id = n.about_partner_id, about_client_id = n.about_client_id from notification n
  where n.user_id = m.user_id and n.dedupe_key = m.dedupe_key and (n.about_partner_id is not null or n.about_client_id is not null);
update notification set about_partner_id = partner_id where about_partner_id is null;
update notification set about_client_id = client_id where about_client_id is null;

create index notification_about on notification (about_partner_id, about_client_id);
create index mail_about on mail (about_partner_id, about_client_id) where about_partner_id is not null;
