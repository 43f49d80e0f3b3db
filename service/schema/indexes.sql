-- Indexes of tables that may be large when they are added, one statement each. Where the table is large, they are built after a start, online and partition by partition;
-- where it is small, at the start (platform/db/indexes.ts). Statements that use them work without them, and take longer.

-- The first and the last hours of a range of all agencies. An index on the hour itself could be chosen for those of one agency. First: without it
-- sums of all agencies read every hour of every agent.
create index workflow_hour_of_all on workflow_hour (uuid_floor(hour));

-- A range of hours of one agency, from the index alone: what was folded hour by hour lies in as many blocks, and a year of it took seconds from a cold disk.
create index usage_hour_range on usage_hour (partner_id, hour) include (counter, credits, entries, succeeded, failed, contacted);

-- A page of the newest clients of an agency, and a text in what staff search all clients, users, agencies and agents by.
create index client_newest on client (partner_id, id desc);
create index client_text on client using gin (name gin_trgm_ops, contact_name gin_trgm_ops, contact_email gin_trgm_ops, external_ref gin_trgm_ops);
create index workflow_text on workflow using gin (name gin_trgm_ops);
create index app_user_text on app_user using gin (email gin_trgm_ops, full_name gin_trgm_ops);
create index partner_text on partner using gin (name gin_trgm_ops, slug gin_trgm_ops);
create index workflow_newest on workflow (partner_id, id desc);
-- Agents that are failing, silent or off, which are few compared to the others; clients that count.
create index workflow_failing on workflow (partner_id, id desc) where has_failures;
create index workflow_last_run on workflow (last_run_day);
create index workflow_last_run_of_partner on workflow (partner_id, last_run_day);
create index workflow_off on workflow (partner_id) where not is_active or provider_flow_id is null;
create index client_counted on client (partner_id, id) where status in ('active', 'suspended');

-- Entries of one user, also as someone else, and those of staff, among hundreds of thousands of entries of an agency. Without staff: it is not seen which of them acted.
create index audit_entry_actor on audit_entry (partner_id, actor_id, id desc) where actor_id is not null and actor_type <> 'staff';
create index audit_entry_via on audit_entry (partner_id, actor_via, id desc) where actor_via is not null and actor_type <> 'staff';
create index audit_entry_email on audit_entry (partner_id, actor_email, id desc) where actor_email is not null and actor_type <> 'staff';
create index audit_entry_staff on audit_entry (partner_id, id desc) where actor_type = 'staff';
-- Changes of subscriptions of all agencies in a week, a few among all entries.
create index audit_entry_subscription on audit_entry (id desc) where action = 'billing.subscription_changed';

-- Kinds and sources that are rare compared to those of incoming events, or that an agency has none of.
create index usage_entry_kind on usage_entry (partner_id, kind, id desc) where kind <> 'run';
create index usage_entry_kind_of_all on usage_entry (kind, id desc) where kind <> 'run';
create index usage_entry_ai_call on usage_entry (partner_id, id) where kind = 'ai_tokens' and execution_id is null;
create index execution_source on execution (partner_id, source, id desc) where source <> 'ingest';
create index execution_source_of_all on execution (source, id desc) where source <> 'ingest';
-- Runs that took long, which are few: a stream that resumes finds their ends without reading the days before.
create index execution_late_end on execution (partner_id, finished_at) where finished_at - started_at > interval '50 minutes';
create index execution_cause on execution (partner_id, error_code, id desc) where status = 'FAILED';
create index execution_cause_of_all on execution (error_code, id desc) where status = 'FAILED';
-- The newest failed runs of all agencies: without it, every run of a week is read for them.
create index execution_failed_of_all on execution (id desc) where status = 'FAILED';
create index execution_rerun_of on execution (partner_id, rerun_of, id) where rerun_of is not null;
create index execution_timed_out on execution (id) where status = 'FAILED' and error_code = 'timeout';

-- Rows that are rare compared to the resolved, the sent, the installed and the open, and rules of which there may be none.
create index alert_unresolved on alert (partner_id, id desc) where status <> 'resolved';
create index alert_unresolved_of_all on alert (id desc) where status <> 'resolved';
create index alert_rule on alert (partner_id, rule, id desc);
create index alert_rule_of_all on alert (rule, id desc);
create index alert_severity on alert (partner_id, severity, id desc);
create index alert_severity_of_all on alert (severity, id desc);
create index mail_unsent on mail (status, id desc) where status <> 'sent';
create index mail_sent on mail (sent_at) where status = 'sent';
create index workflow_not_installed on workflow (id desc) where provider_flow_id is null;
create index workflow_paused on workflow (id desc) where not is_active;
create index workflow_template on workflow (template_name, id desc);
create index workflow_template_of_partner on workflow (partner_id, template_name, id desc);
create index workflow_version on workflow (template_name, template_version, partner_id) where template_version is not null and provider_flow_id is not null;
create index client_not_active on client (status, id desc) where status <> 'active';
create index conversation_newest on conversation (last_message_at desc, id desc);
create index conversation_not_open on conversation (status, last_message_at desc, id desc) where status <> 'open';
create index conversation_label_of_all on conversation (lower(visitor_label) text_pattern_ops);
create index invoice_issued_sums on invoice (issued_at) include (currency, total_minor) where status <> 'void';
create index invoice_paid_sums on invoice (paid_at) include (currency, total_minor) where kind = 'invoice' and status = 'paid';
create index conversation_read_first on conversation_read (user_id, read_at);
create index notification_bell_of_partner on notification (user_id, partner_id, id desc) where is_listed;
-- An unread count reads the index alone, which has all that row-level security compares. Filters of invoices by their date, which is that of the issue, of a draft that of its creation.
create index notification_unread_of_partner on notification (user_id, partner_id) include (client_id) where is_listed and read_at is null;
create index invoice_dated on invoice (coalesce(issued_at, created_at));
create index invoice_of_status on invoice (status, id desc) where status <> 'paid';
-- Documents that wait to be read: agencies take turns, and files come last.
create index knowledge_document_waiting on knowledge_document (partner_id, (kind = 'file'), updated_at) where status = 'pending';
-- Mail of each agency that is sent next: what is useful for less than a day comes first.
create index mail_due_of on mail (partner_id, (body_until - created_at > interval '1 day'), due_at) where due_at is not null;
