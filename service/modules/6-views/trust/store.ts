import type { AccessLogKind, AccessLogSide, Provider } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

export type AgencyRow = { name: string; supportEmail: string | null; auditDays: number };

/** The agency of the session's client, and how long it keeps its log. */
export async function findAgency(tx: TenantTx, clientId: string): Promise<AgencyRow | undefined> {
  const [row] = await runStatement<'trust_agency', AgencyRow>(tx, {
    name: 'trust_agency',
    text: `select p.name, p.support_email, audit_days(coalesce(session_features(p.id), '{}')) as audit_days
      from client c join partner p on p.id = c.partner_id where c.id = $1 and c.status <> 'deleted'`,
    values: [clientId],
  });
  return row;
}

/** The provider of the client's chatbot; undefined while it is off. */
export async function findChatbotProvider(tx: TenantTx, clientId: string): Promise<Provider | undefined> {
  const [row] = await runStatement<'trust_chatbot', { provider: Provider }>(tx, {
    name: 'trust_chatbot',
    text: 'select b.provider from chatbot b where b.client_id = $1 and b.is_active',
    values: [clientId],
  });
  return row?.provider;
}

export type EntryRow = {
  id: string;
  at: Date;
  kind: AccessLogKind;
  side: AccessLogSide;
  name: string | null;
  subject: string | null;
  uses: number | null;
  agent: string | null;
};

export function listAccess(tx: TenantTx, before: string | null, limit: number): Promise<EntryRow[]> {
  return runStatement<'trust_access_log', EntryRow>(tx, {
    name: 'trust_access_log',
    prepare: false,
    text: 'select l.id, l.at, l.kind, l.side, l.name, l.subject, l.uses, l.agent from client_access_log($1, $2) l',
    values: [before, limit],
  });
}

export type PersonRow = { id: string; fullName: string; email: string; avatarUrl: string | null; lastLoginAt: Date | null };

const PEOPLE_SHOWN = 200;

export function listPeople(tx: TenantTx, clientId: string): Promise<PersonRow[]> {
  return runStatement<'trust_people', PersonRow>(tx, {
    name: 'trust_people',
    text: `select u.id, u.full_name, u.email, u.avatar_url, u.last_login_at from app_user u
      where u.client_id = $1 and u.status = 'active' order by u.full_name, u.id limit $2`,
    values: [clientId, PEOPLE_SHOWN],
  });
}

export type InvitedRow = { id: string; fullName: string | null; email: string; sentAt: Date; expiresAt: Date };

export function listInvited(tx: TenantTx): Promise<InvitedRow[]> {
  return runStatement<'trust_invited', InvitedRow>(tx, {
    name: 'trust_invited',
    text: 'select i.id, i.full_name, i.email, i.sent_at, i.expires_at from client_invitations() i',
    values: [],
  });
}

export async function listAdmins(tx: TenantTx): Promise<string[]> {
  const rows = await runStatement<'trust_admins', { name: string }>(tx, {
    name: 'trust_admins',
    text: 'select a as name from agency_admins() a',
    values: [],
  });
  return rows.map(({ name }) => name);
}
