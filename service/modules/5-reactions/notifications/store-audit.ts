import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** An audit entry with what its notification needs of its target. */
export type NotifyingEntry = {
  id: string;
  partnerId: string;
  partnerName: string;
  at: Date;
  clientId: string | null;
  clientName: string | null;
  action: AuditAction;
  actorId: string | null;
  isByStaff: boolean;
  /** Null for staff, whose address no agency reads. */
  actorEmail: string | null;
  targetId: string | null;
  targetLabel: string | null;
  /** The target, when it is a user who still exists. */
  userId: string | null;
  userName: string | null;
  userRole: Role | null;
  requestTitle: string | null;
  requestOrigin: string | null;
  /** Template of the requested agent, or of the agent that a text was suggested for. */
  templateName: string | null;
  /** The permission that a member was given. */
  permission: string | null;
  /** Note given with a decision. */
  note: string | null;
  /** The agent of a suggested text. */
  suggestionAgentId: string | null;
  invitationsInHour: string | null;
  /** Which side requested a deletion or reactivation. */
  requesterRole: Role | null;
  /** Status of that request now. */
  requestStatus: string | null;
  /** Status of the account after the decision, where it changed. */
  restoredStatus: string | null;
  /** Status of the account's deletion after the decision, where it changed. */
  deletionStatus: string | null;
  /** Which side requested the deletion that was withdrawn. */
  deletionRequesterRole: Role | null;
  /** When the removal of an account whose deletion is approved is due, as ISO 8601. */
  purgeAfter: string | null;
  partnerStatus: string;
  /** The agency’s. */
  timezone: string;
  /** The agency's address for invoices. */
  billingEmail: string | null;
};

export async function findNotifyingEntry(tx: SystemTx, entryId: string): Promise<NotifyingEntry | undefined> {
  const [row] = await runStatement<'notifications_audited', NotifyingEntry>(tx, {
    name: 'notifications_audited',
    text: `select e.id, e.partner_id, p.name as partner_name, e.at, coalesce(e.client_id, r.client_id) as client_id, c.name as client_name, e.action, e.actor_id, e.actor_type = 'staff' as is_by_staff, case when e.actor_type <> 'staff' then e.actor_email end as actor_email, e.target_id, e.target_label,
        u.id as user_id, coalesce(nullif(u.full_name, ''), u.email) as user_name, u.role as user_role, r.title as request_title, r.origin as request_origin, coalesce(r.template_name, w.template_name) as template_name, e.changes #>> '{partnerRole,1}' as permission, e.changes #>> '{note,1}' as note, e.changes #>> '{invitationsInHour,1}' as invitations_in_hour, s.workflow_id as suggestion_agent_id,
        coalesce(x.requester_role, y.requester_role) as requester_role, coalesce(x.status, y.status) as request_status, e.changes #>> '{account,1}' as restored_status, b.billing_email,
        e.changes #>> '{deletion,1}' as deletion_status, e.changes #>> '{purgeAfter,1}' as purge_after, p.status as partner_status, p.timezone,
        (select d.requester_role from deletion_request d where d.partner_id = e.partner_id and d.client_id is not distinct from e.client_id and d.status = 'cancelled'
          order by d.id desc limit 1) as deletion_requester_role
      from audit_entry e
      join partner p on p.id = e.partner_id
      left join app_user u on e.target_type = 'user' and u.id::text = e.target_id
      left join agent_request r on e.target_type = 'agent_request' and r.id::text = e.target_id
      left join text_suggestion s on e.target_type = 'text_suggestion' and s.id::text = e.target_id
      left join workflow w on w.id = s.workflow_id
      left join deletion_request x on e.target_type = 'deletion_request' and x.id::text = e.target_id
      left join reactivation_request y on e.target_type = 'reactivation_request' and y.id::text = e.target_id
      left join billing_profile b on b.partner_id = e.partner_id
      left join client c on c.id = coalesce(e.client_id, r.client_id)
      where e.id = $1`,
    values: [entryId],
  });
  return row;
}
