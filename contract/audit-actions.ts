/**
 * Every action of the audit log, with the texts it is shown with. Routes and use-cases can record only these; a new action needs its
 * texts here.
 */
export type AuditTexts = {
  /** The action as a heading, for filters: "Agent paused". */
  label: string;
  /** Follows the actor's name; `{target}` is replaced: "paused {target}". */
  did: string;
  /** Follows "tried to" when the action was refused: "pause {target}". */
  tried: string;
  /** Replaces `{target}` when the entry has none. */
  thing?: string;
  /** The actor shown when no one was signed in: "Someone", or the target itself. */
  by?: 'unknown' | 'target';
};

export const AUDIT_ACTIONS = {
  'session.signed_in': { label: 'Signed in', did: 'signed in', tried: 'sign in' },
  'session.sign_in_failed': { label: 'Sign-in failed', did: 'failed to sign in as {target}', tried: 'sign in as {target}', by: 'unknown' },
  'session.signed_out': { label: 'Signed out', did: 'signed out', tried: 'sign out' },
  'session.signed_out_everywhere': { label: 'Signed out everywhere', did: 'signed out everywhere', tried: 'sign out everywhere' },
  'user.profile_changed': { label: 'Profile changed', did: 'changed their own profile', tried: 'change their own profile' },
  'user.status_changed': {
    label: 'User enabled or disabled',
    did: 'changed whether {target} may sign in',
    tried: 'change whether {target} may sign in',
    thing: 'a user',
  },
  'user.password_changed': { label: 'Password changed', did: 'changed their own password', tried: 'change their own password' },
  'user.password_reset_requested': {
    label: 'Password reset requested',
    did: 'requested a link to set a new password',
    tried: 'request a link to set a new password',
    by: 'target',
  },
  'user.password_reset': {
    label: 'Password reset',
    did: 'set a new password with a mailed link',
    tried: 'set a new password with a mailed link',
    by: 'target',
  },
  'mfa.setup_started': {
    label: 'Two-step sign-in setup started',
    did: 'started to set up two-step sign-in',
    tried: 'set up two-step sign-in',
  },
  'mfa.enabled': { label: 'Two-step sign-in on', did: 'switched two-step sign-in on', tried: 'switch two-step sign-in on' },
  'mfa.disabled': { label: 'Two-step sign-in off', did: 'switched two-step sign-in off', tried: 'switch two-step sign-in off' },
  'mfa.recovery_codes_renewed': {
    label: 'Recovery codes renewed',
    did: 'created new recovery codes',
    tried: 'create new recovery codes',
  },
  'mfa.recovery_code_used': {
    label: 'Recovery code used',
    did: 'signed in with a recovery code',
    tried: 'sign in with a recovery code',
    by: 'target',
  },
  'view_as.started': { label: 'View-as started', did: 'started to view as {target}', tried: 'view as {target}', thing: 'someone' },
  'view_as.ended': { label: 'View-as ended', did: 'ended the view as {target}', tried: 'end the view as {target}', thing: 'someone' },
  'user.seeded': { label: 'First administrator created', did: 'created the administrator {target}', tried: 'create an administrator' },
  'partner.created': { label: 'Agency created', did: 'created {target}', tried: 'create an agency', thing: 'an agency' },
  'partner.changed': { label: 'Agency changed', did: 'changed the agency {target}', tried: 'change the agency', thing: '' },
  'partner.suspended': { label: 'Agency suspended', did: 'suspended the agency {target}', tried: 'suspend the agency {target}', thing: '' },
  'partner.resumed': { label: 'Agency resumed', did: 'resumed the agency {target}', tried: 'resume the agency {target}', thing: '' },
  'partner.trial_ended': {
    label: 'Trial ended',
    did: 'ended the trial of {target}',
    tried: 'end the trial of {target}',
    thing: 'an agency',
  },
  'plan_request.submitted': { label: 'Plan requested', did: 'requested a plan', tried: 'request a plan', by: 'target' },
  'plan_request.approved': {
    label: 'Plan request approved',
    did: 'approved the plan request of {target}',
    tried: 'approve a plan request',
    thing: 'an applicant',
  },
  'plan_request.rejected': {
    label: 'Plan request rejected',
    did: 'rejected the plan request of {target}',
    tried: 'reject a plan request',
    thing: 'an applicant',
  },
  'plan_request.cancelled': { label: 'Plan request cancelled', did: 'withdrew the plan request', tried: 'withdraw a plan request' },
  'plan.created': { label: 'Plan created', did: 'created the plan {target}', tried: 'create a plan', thing: '' },
  'plan.changed': { label: 'Plan changed', did: 'changed the plan {target}', tried: 'change a plan', thing: '' },
  'plan.retired': { label: 'Plan retired', did: 'retired the plan {target}', tried: 'retire a plan', thing: '' },
  'billing.seats_bought': { label: 'Seats bought', did: 'bought {target}', tried: 'buy seats', thing: 'seats' },
  'billing.seats_released': { label: 'Seats released', did: 'changed how many seats end with the period', tried: 'release seats' },
  'billing.credits_bought': { label: 'Credits bought', did: 'bought {target}', tried: 'buy credits', thing: 'credits' },
  'billing.settings_changed': { label: 'Billing details changed', did: 'changed the billing details', tried: 'change the billing details' },
  'billing.adjusted': {
    label: 'Credits or seats adjusted',
    did: 'adjusted the credits or seats of {target}',
    tried: 'adjust credits or seats',
    thing: 'an agency',
  },
  'billing.subscription_changed': {
    label: 'Subscription changed',
    did: 'changed the subscription of {target}',
    tried: 'change a subscription',
    thing: 'an agency',
  },
  'billing.period_ended': {
    label: 'Billing period ended',
    did: 'began the next billing period of {target}',
    tried: 'begin the next billing period',
    thing: 'an agency',
  },
  'billing.past_due': {
    label: 'Payment past due',
    did: 'marked {target} as past due',
    tried: 'mark an agency as past due',
    thing: 'an agency',
  },
  'invoice.issued': { label: 'Invoice issued', did: 'issued {target}', tried: 'issue an invoice', thing: 'an invoice' },
  'invoice.paid': { label: 'Invoice paid', did: 'recorded the payment of {target}', tried: 'record a payment', thing: 'an invoice' },
  'invoice.voided': { label: 'Invoice voided', did: 'voided {target}', tried: 'void an invoice', thing: 'an invoice' },
  'invoice.credited': {
    label: 'Credit note issued',
    did: 'issued a credit note for {target}',
    tried: 'issue a credit note',
    thing: 'an invoice',
  },
  'work_item.assigned': {
    label: 'Work assigned or released',
    did: 'took or released {target}',
    tried: 'take an item of the work queue',
    thing: 'an item of the work queue',
  },
  'client.created': { label: 'Client added', did: 'added the client {target}', tried: 'add a client', thing: '' },
  'client.changed': { label: 'Client changed', did: 'changed {target}', tried: 'change {target}', thing: 'a client' },
  'client.suspended': { label: 'Client suspended', did: 'suspended {target}', tried: 'suspend {target}', thing: 'a client' },
  'client.resumed': { label: 'Client resumed', did: 'resumed {target}', tried: 'resume {target}', thing: 'a client' },
  'client.archived': { label: 'Client archived', did: 'archived {target}', tried: 'archive {target}', thing: 'a client' },
  'client_user.removed': {
    label: 'Client user removed',
    did: 'removed {target} from the client portal',
    tried: 'remove {target} from the client portal',
    thing: 'a person',
  },
  'member.permission_changed': {
    label: 'Permission changed',
    did: 'changed what {target} may do',
    tried: 'change what {target} may do',
    thing: 'a member',
  },
  'member.removed': {
    label: 'Member removed',
    did: 'removed {target} from the team',
    tried: 'remove {target} from the team',
    thing: 'a member',
  },
  'user.mfa_reset': {
    label: 'Second step reset',
    did: 'switched off the second step of {target}',
    tried: 'switch off the second step of {target}',
    thing: 'a user',
  },
  'user.signed_out': {
    label: 'User signed out',
    did: 'ended the sessions of {target}',
    tried: 'end the sessions of {target}',
    thing: 'a user',
  },
  'sso.connection_saved': {
    label: 'SSO connection saved',
    did: 'saved the SSO connection {target}',
    tried: 'save an SSO connection',
    thing: '',
  },
  'sso.connection_deleted': {
    label: 'SSO connection removed',
    did: 'removed the SSO connection {target}',
    tried: 'remove the SSO connection',
    thing: '',
  },
  'sso.test_started': { label: 'SSO test started', did: 'started a test of the SSO connection', tried: 'test the SSO connection' },
  'sso.connection_verified': {
    label: 'SSO connection verified',
    did: 'verified the SSO connection {target}',
    tried: 'verify the SSO connection',
    thing: '',
  },
  'sso.enforcement_changed': {
    label: 'SSO enforcement changed',
    did: 'changed whether the team must use single sign-on',
    tried: 'change whether the team must use single sign-on',
  },
  'sso.enforcement_released': {
    label: 'SSO enforcement released',
    did: 'allowed the team to sign in with a password again',
    tried: 'allow a team to sign in with a password again',
  },
  'invitation.created': { label: 'Invitation sent', did: 'invited {target}', tried: 'invite someone', thing: 'someone' },
  'invitation.resent': {
    label: 'Invitation sent again',
    did: 'sent the invitation of {target} again',
    tried: 'send the invitation of {target} again',
    thing: 'someone',
  },
  'invitation.revoked': {
    label: 'Invitation revoked',
    did: 'revoked the invitation of {target}',
    tried: 'revoke the invitation of {target}',
    thing: 'someone',
  },
  'invitation.burst_noticed': {
    label: 'Many invitations',
    did: 'noticed many invitations within an hour',
    tried: 'notice many invitations within an hour',
    thing: 'an agency',
  },
  'invitation.accepted': {
    label: 'Invitation accepted',
    did: 'accepted the invitation',
    tried: 'accept an invitation',
    thing: 'Someone',
    by: 'target',
  },
  'agent.created': { label: 'Agent added', did: 'added the agent {target}', tried: 'add an agent', thing: '' },
  'agent.changed': { label: 'Agent changed', did: 'changed {target}', tried: 'change {target}', thing: 'an agent' },
  'agent.deleted': { label: 'Agent deleted', did: 'deleted {target}', tried: 'delete {target}', thing: 'an agent' },
  'agent.paused': { label: 'Agent paused', did: 'paused {target}', tried: 'pause {target}', thing: 'an agent' },
  'agent.resumed': { label: 'Agent resumed', did: 'resumed {target}', tried: 'resume {target}', thing: 'an agent' },
  'agent.previewed': { label: 'Agent previewed', did: 'previewed {target}', tried: 'preview {target}', thing: 'an agent' },
  'agent_request.created': { label: 'Agent requested', did: 'requested {target}', tried: 'request an agent', thing: 'an agent' },
  'agent_request.submitted': { label: 'Request submitted', did: 'submitted the request {target}', tried: 'submit a request', thing: '' },
  'agent_request.declined': {
    label: 'Suggestion declined',
    did: 'declined the suggestion {target}',
    tried: 'decline a suggestion',
    thing: '',
  },
  'agent_request.cancelled': { label: 'Request cancelled', did: 'cancelled the request {target}', tried: 'cancel a request', thing: '' },
  'agent_request.approved': { label: 'Request approved', did: 'approved the request {target}', tried: 'approve a request', thing: '' },
  'agent_request.rejected': { label: 'Request rejected', did: 'rejected the request {target}', tried: 'reject a request', thing: '' },
  'agent_request.retried': {
    label: 'Installation retried',
    did: 'tried again to install {target}',
    tried: 'install {target} again',
    thing: 'an agent',
  },
  'agent_request.waiting': {
    label: 'Installation postponed',
    did: 'postponed the installation of {target}',
    tried: 'postpone an installation',
    thing: 'an agent',
  },
  'agent_request.fulfilled': { label: 'Request fulfilled', did: 'fulfilled the request {target}', tried: 'fulfil a request', thing: '' },
  'agent_request.provisioning_failed': {
    label: 'Installation failed',
    did: 'could not install {target}',
    tried: 'install {target}',
    thing: 'an agent',
  },
  'workflow.ingest_url_read': {
    label: 'Ingest URL revealed',
    did: 'revealed the ingest URL of {target}',
    tried: 'reveal the ingest URL of {target}',
    thing: 'an agent',
  },
  'workflow.triggered': {
    label: 'Run started manually',
    did: 'started a run manually',
    tried: 'start a run of {target}',
    thing: 'an agent',
  },
  'workflow.schedule_changed': {
    label: 'Schedule changed',
    did: 'changed the schedule of {target}',
    tried: 'change the schedule of {target}',
    thing: 'an agent',
  },
  'workflow.schedule_removed': {
    label: 'Schedule removed',
    did: 'removed the schedule of {target}',
    tried: 'remove the schedule of {target}',
    thing: 'an agent',
  },
  'execution.rerun': { label: 'Run repeated', did: 'repeated a run', tried: 'repeat a run' },
  'execution.rerun_many': { label: 'Failed runs repeated', did: 'repeated a failed run', tried: 'repeat failed runs' },
  'credential.saved': { label: 'Key saved', did: 'saved the key for {target}', tried: 'save the key for {target}', thing: 'a service' },
  'credential.deleted': {
    label: 'Key removed',
    did: 'removed the key for {target}',
    tried: 'remove the key for {target}',
    thing: 'a service',
  },
  'credential.tested': { label: 'Key tested', did: 'tested the key for {target}', tried: 'test the key for {target}', thing: 'a service' },
  'automation_instance.provision_requested': {
    label: 'Setup started',
    did: 'started the setup of {target}',
    tried: 'start the setup of {target}',
    thing: 'an agency',
  },
  'automation_instance.reprovision_requested': {
    label: 'Setup repaired',
    did: 'started a repair of {target}',
    tried: 'repair {target}',
    thing: 'an agency',
  },
  'automation_instance.deprovision_requested': {
    label: 'Setup taken down',
    did: 'took down the setup of {target}',
    tried: 'take down the setup of {target}',
    thing: 'an agency',
  },
  'automation_instance.verified': {
    label: 'Setup compared',
    did: 'compared the flows of {target} with their templates',
    tried: 'compare the flows of {target} with their templates',
    thing: 'an agency',
  },
  'rollout.started': { label: 'Roll-out started', did: 'started to roll out {target}', tried: 'roll out a template', thing: 'a template' },
  'rollout.paused': {
    label: 'Roll-out paused or resumed',
    did: 'paused or resumed the roll-out of {target}',
    tried: 'pause or resume the roll-out of {target}',
    thing: 'a template',
  },
  'webhook.created': {
    label: 'Webhook endpoint added',
    did: 'added the webhook endpoint {target}',
    tried: 'add a webhook endpoint',
    thing: '',
  },
  'webhook.changed': {
    label: 'Webhook endpoint changed',
    did: 'changed the webhook endpoint {target}',
    tried: 'change the webhook endpoint {target}',
    thing: '',
  },
  'webhook.deleted': {
    label: 'Webhook endpoint removed',
    did: 'removed the webhook endpoint {target}',
    tried: 'remove the webhook endpoint {target}',
    thing: '',
  },
  'webhook.tested': {
    label: 'Webhook test sent',
    did: 'sent a test event to {target}',
    tried: 'send a test event to {target}',
    thing: 'an endpoint',
  },
  'webhook.redelivered': {
    label: 'Delivery sent again',
    did: 'sent a delivery to {target} again',
    tried: 'send a delivery to {target} again',
    thing: 'an endpoint',
  },
  'webhook.recovery_started': {
    label: 'Recovery started',
    did: 'started a recovery of deliveries to {target}',
    tried: 'recover deliveries to {target}',
    thing: 'an endpoint',
  },
  'webhook.recovery_cancelled': {
    label: 'Recovery cancelled',
    did: 'cancelled the recovery of deliveries to {target}',
    tried: 'cancel the recovery of deliveries to {target}',
    thing: 'an endpoint',
  },
  'alert.acknowledged': { label: 'Alert acknowledged', did: 'acknowledged the alert {target}', tried: 'acknowledge an alert', thing: '' },
  'alert.resolved': { label: 'Alert resolved', did: 'resolved the alert {target}', tried: 'resolve an alert', thing: '' },
  'alert_rules.changed': { label: 'Alert rules changed', did: 'changed when alerts open', tried: 'change when alerts open' },
  'notification.preferences_changed': {
    label: 'Notifications changed',
    did: 'changed how they are notified',
    tried: 'change how they are notified',
  },
  'audit_log.exported': { label: 'Audit log exported', did: 'exported the audit log', tried: 'export the audit log' },
  'mail.read': { label: 'Mail read by staff', did: 'read the mail to {target}', tried: 'read the mail to {target}', thing: 'someone' },
  'mail.retried': {
    label: 'Mail sent again',
    did: 'sent the mail to {target} again',
    tried: 'send the mail to {target} again',
    thing: 'someone',
  },
} as const satisfies Record<string, AuditTexts>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]]; // the keys of the table itself

export const AUDIT_ACTOR_TYPES = ['user', 'staff', 'system'] as const;
export const AUDIT_RESULTS = ['ok', 'refused'] as const;
