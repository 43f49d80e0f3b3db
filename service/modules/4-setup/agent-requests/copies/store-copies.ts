import type { ClientStatus, InstanceStatus, Locale, ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type TargetRow = {
  id: string;
  name: string;
  status: ClientStatus;
  timezone: string;
  locale: Locale;
  businessProfile: { [key in ProfileKey]?: string };
  hasAgent: boolean;
  /** The open request for this template. */
  requestId: string | null;
};

/** The clients of the partner among `ids`, with what they have of the template; in the given order. */
export async function findTargets(tx: Tx, partnerId: string, ids: readonly string[], templateName: string): Promise<TargetRow[]> {
  return runStatement<'agent_copy_targets', TargetRow>(tx, {
    name: 'agent_copy_targets',
    text: `select c.id, c.name, c.status, c.timezone, c.locale, c.business_profile,
        exists (select 1 from workflow w where w.client_id = c.id and w.template_name = $3 and w.provider_flow_id is not null) as has_agent,
        (select r.id from agent_request r where r.client_id = c.id and r.template_name = $3
          and r.status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed')) as request_id
      from client c where c.partner_id = $1 and c.id = any($2) and c.status <> 'deleted' order by array_position($2::uuid[], c.id)`,
    values: [partnerId, ids, templateName],
  });
}

export type SourceClient = {
  name: string;
  timezone: string;
  businessProfile: { [key in ProfileKey]?: string };
  contactName: string | null;
  contactEmail: string | null;
  phone: string | null;
  website: string | null;
};

/** What texts of a client's agent may name. */
export async function findSourceClient(tx: Tx, clientId: string): Promise<SourceClient | undefined> {
  const [row] = await runStatement<'agent_copy_source', SourceClient>(tx, {
    name: 'agent_copy_source',
    text: 'select name, timezone, business_profile, contact_name, contact_email, phone, website from client where id = $1',
    values: [clientId],
  });
  return row;
}

export async function findSetupStatus(tx: Tx, partnerId: string): Promise<InstanceStatus> {
  const [row] = await runStatement<'agent_copy_setup', { status: InstanceStatus }>(tx, {
    name: 'agent_copy_setup',
    text: 'select status from automation_instance where partner_id = $1',
    values: [partnerId],
  });
  return row?.status ?? 'unprovisioned';
}
