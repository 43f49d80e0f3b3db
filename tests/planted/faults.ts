/** A fault to plant: `find` occurs exactly once in `file`. Paths are relative to the root. */
export type Fault = {
  name: string;
  file: string;
  find: string;
  replace: string;
  /** Test files of which at least one fails with the fault, the quickest first; its tier is where the fault belongs. */
  foundBy: readonly [string, ...string[]];
};

const ACCEPT_SQL = 'service/schema/functions/executions/accept_executions.sql';
const FINISH_SQL = 'service/schema/functions/executions/finish_executions.sql';
const ASSERT_SQL = 'service/schema/functions/identity/assert_session.sql';
const FENCE_SQL = 'service/schema/functions/base/fence.sql';
const ACCEPT = 'service/modules/3-product/executions/accept';
const REPORT = 'service/modules/3-product/executions/report';
const IDENTITY = 'service/modules/2-tenancy/identity';

/** Faults that a change could bring in unseen, in the parts where one costs most. */
export const FAULTS: readonly Fault[] = [
  // Accepting and ending runs.
  {
    name: 'a-callback-token-that-starts-runs',
    file: 'core/execution/token.ts',
    find: 'return hmac(secret, `execution:${executionId}`);',
    replace: 'return hmac(secret, `ingest:${executionId}`);',
    foundBy: ['core/execution/token.test.ts'],
  },
  {
    name: 'an-unknown-outcome-sent-again',
    file: 'core/execution/dispatch.ts',
    find: "    case 'ambiguous':\n      return { next: 'ask', waitMs: ASK_MS };",
    replace: "    case 'ambiguous':\n      return { next: 'again', waitMs: ASK_MS, missed: false };",
    foundBy: ['core/execution/dispatch.test.ts'],
  },
  {
    name: 'a-republished-flow-fails-at-once',
    file: 'core/execution/dispatch.ts',
    find: 'if (past.misses < MISSES_MAX)',
    replace: 'if (past.misses < 0)',
    foundBy: ['core/execution/dispatch.test.ts'],
  },
  {
    name: 'sql-accepts-for-suspended-accounts',
    file: ACCEPT_SQL,
    find: 'when not may_run_agents(p.status, c.status, s.status) then',
    replace: "when not may_run_agents('active', c.status, s.status) then",
    foundBy: [`${ACCEPT}/acceptance.test.ts`],
  },
  {
    name: 'mail-to-an-address-on-the-stop-list',
    file: 'catalog/quote-follow-up/steps/is-due.js',
    find: 'if (facts.noMail) return',
    replace: 'if (facts.noMail === true) return',
    foundBy: ['catalog/steps.test.ts'],
  },
  {
    name: 'sql-looks-up-no-address',
    file: 'service/schema/functions/executions/claim_dispatches.sql',
    find: 'and o.contact = lower(v.value)',
    replace: 'and o.contact = upper(v.value)',
    foundBy: [`${ACCEPT}/opt-out.test.ts`],
  },
  {
    name: 'sql-replays-another-body',
    file: ACCEPT_SQL,
    find: 'case when prior.body_hash <> i.body_hash then',
    replace: 'case when false then',
    foundBy: [`${ACCEPT}/acceptance.test.ts`, `${ACCEPT}/ingest.test.ts`],
  },
  {
    name: 'sql-holds-no-credits',
    file: ACCEPT_SQL,
    find: 'set in_flight = q.in_flight + h.cost,',
    replace: 'set in_flight = q.in_flight,',
    foundBy: [`${ACCEPT}/acceptance.test.ts`, `${ACCEPT}/ingest.test.ts`],
  },
  {
    name: 'sql-ends-a-run-twice',
    file: FINISH_SQL,
    find: "e.error_code = 'timeout' and not e.late)",
    replace: "e.error_code = 'timeout')",
    foundBy: [`${REPORT}/transition.test.ts`],
  },
  {
    name: 'sql-charges-a-free-end',
    file: FINISH_SQL,
    find: "case when i.status = 'SUCCEEDED' and i.free is not true then",
    replace: "case when i.status = 'SUCCEEDED' then",
    foundBy: ['service/modules/3-product/executions/dispatch/texting.test.ts'],
  },
  {
    name: 'sql-keeps-credits-held',
    file: 'service/schema/functions/metering/settle_quota.sql',
    find: 'set in_flight = greatest(0, q.in_flight - d.held),',
    replace: 'set in_flight = q.in_flight,',
    foundBy: [`${REPORT}/transition.test.ts`, `${REPORT}/report.test.ts`],
  },
  {
    name: 'a-chatbot-beyond-its-share',
    file: 'core/quota/chat-budget.ts',
    find: 'if (chatTaken + wanted > share)',
    replace: 'if (chatTaken > share)',
    foundBy: ['core/quota/chat-budget.test.ts'],
  },
  {
    name: 'an-opt-out-with-umlauts-ignored',
    file: 'core/contact/opt-out.ts',
    find: ".normalize('NFKD')",
    replace: ".normalize('NFC')",
    foundBy: ['core/contact/opt-out.test.ts'],
  },

  // The vault.
  {
    name: 'a-key-opens-at-another-client',
    file: 'core/credential/vault.ts',
    find: "clientId ?? 'agency', provider, keyVersion]",
    replace: "'agency', provider, keyVersion]",
    foundBy: ['core/credential/vault.test.ts'],
  },
  {
    name: 'an-older-key-of-the-row-opens',
    file: 'core/credential/vault.ts',
    find: "clientId ?? 'agency', provider, keyVersion]",
    replace: "clientId ?? 'agency', provider]",
    foundBy: ['core/credential/vault.test.ts'],
  },
  {
    name: 'a-short-master-key',
    file: 'core/credential/vault.ts',
    find: 'key.length !== KEY_BYTES',
    replace: 'key.length > KEY_BYTES',
    foundBy: ['core/credential/vault.test.ts'],
  },
  {
    name: 'the-agency-key-in-place-of-the-own',
    file: 'core/credential/resolution.ts',
    find: 'bySlot.get(keyOf(slot)) ?? bySlot.get(keyOf({ ...slot, clientId: null }))',
    replace: 'bySlot.get(keyOf({ ...slot, clientId: null })) ?? bySlot.get(keyOf(slot))',
    foundBy: ['core/credential/resolution.test.ts'],
  },
  {
    name: 'a-refused-key-counts-as-fine',
    file: 'core/credential/resolution.ts',
    find: "if (row.lastCheckOk === false) return { state: 'failing', reason: null, row };",
    replace: '',
    foundBy: ['core/credential/resolution.test.ts'],
  },
  {
    name: 'sql-takes-the-agency-key-first',
    file: 'service/schema/functions/credentials/effective_credentials.sql',
    find: 'coalesce(own.id, standard.id) as id',
    replace: 'coalesce(standard.id, own.id) as id',
    foundBy: [
      'service/modules/3-product/credentials/query/query-for-execution.test.ts',
      'service/modules/3-product/credentials/requirements/requirements.test.ts',
    ],
  },

  // Tenants and sessions.
  {
    name: 'a-client-sees-the-whole-agency',
    file: FENCE_SQL,
    find: "rule := rule || format(' and ((select app_client() is null) or %I = (select app_client()))', client_column);",
    replace: 'null;',
    foundBy: ['service/modules/3-product/executions/executions.test.ts', 'tests/tenant-tables.test.ts'],
  },
  {
    name: 'a-row-written-for-another-tenant',
    file: FENCE_SQL,
    find: "to portal_tenant using (%s) with check (%s)', target, rule, rule);",
    replace: "to portal_tenant using (%s) with check (true)', target, rule);",
    foundBy: ['tests/architecture.test.ts'],
  },
  {
    name: 'a-logged-out-session-goes-on',
    file: ASSERT_SQL,
    find: "if exists (select 1 from revoked_session r where r.jti = session_jti) then raise exception 'session revoked' using errcode = 'PS401'; end if;",
    replace: '',
    foundBy: [`${IDENTITY}/sessions/sessions.test.ts`, `${IDENTITY}/identity.test.ts`],
  },
  {
    name: 'a-session-outlives-the-password',
    file: ASSERT_SQL,
    find: "if issued_at < date_trunc('second', found_user.sessions_valid_from) then raise exception 'session revoked' using errcode = 'PS401'; end if;",
    replace: '',
    foundBy: [`${IDENTITY}/sessions/sessions.test.ts`, `${IDENTITY}/passwords/passwords.test.ts`],
  },
  {
    name: 'a-session-as-a-second-step',
    file: 'service/platform/http/session.ts',
    find: 'const challengeShape = z.object({ aud: z.literal(CHALLENGE), ',
    replace: 'const challengeShape = z.object({ ',
    foundBy: ['service/platform/http/session.test.ts'],
  },
  {
    name: 'a-cursor-under-other-filters',
    file: 'service/platform/http/cursor.ts',
    find: ".update(canonical(filters)).update('\\n')",
    replace: '',
    foundBy: ['service/platform/http/cursor.test.ts'],
  },
  {
    name: 'a-limit-for-each-address-of-a-network',
    file: 'service/platform/http/rate-limit.ts',
    find: 'const found = key.slice(0, at) + networkOf(key.slice(at));',
    replace: 'const found = key.slice(0, at) + key.slice(at);',
    foundBy: ['service/platform/http/rate-limit.test.ts'],
  },
  {
    name: 'a-member-without-a-role-manages',
    file: 'core/access/access.ts',
    find: "partnerRole !== 'admin') return",
    replace: "partnerRole === 'moderator') return",
    foundBy: ['core/access/access.test.ts'],
  },
  {
    name: 'a-viewer-changes-what-is-viewed',
    file: 'core/access/access.ts',
    find: "if (readOnly && !isAllowedInViewAs(route)) return 'view_as_read_only';",
    replace: '',
    foundBy: ['core/access/access.test.ts'],
  },
  {
    name: 'a-device-known-for-everyone',
    file: 'core/people/known-device.ts',
    find: 'proof.userId === user.id && ',
    replace: '',
    foundBy: ['core/people/known-device.test.ts'],
  },
  {
    name: 'a-private-address-called',
    file: 'service/platform/outbound/safe-fetch.ts',
    find: 'if (!exempt && found.some(({ address }) => !isPublicAddress(address)))',
    replace: 'if (false)',
    foundBy: ['service/platform/outbound/safe-fetch.test.ts'],
  },

  // Webhooks.
  {
    name: 'a-redirect-counts-as-delivered',
    file: 'core/webhook/delivery.ts',
    find: 'outcome.status >= 200 && outcome.status < 300',
    replace: 'outcome.status >= 200 && outcome.status < 400',
    foundBy: ['core/webhook/delivery.test.ts'],
  },
  {
    name: 'a-refused-address-tried-again',
    file: 'core/webhook/delivery.ts',
    find: "if (outcome.error === 'private_address' || outcome.error === 'bad_address')",
    replace: "if (outcome.error === 'bad_address')",
    foundBy: ['core/webhook/delivery.test.ts'],
  },
  {
    name: 'a-signature-without-its-time',
    file: 'core/webhook/signing.ts',
    find: 'return hmac(secret, `${timestampSeconds}.${body}`);',
    replace: 'return hmac(secret, body);',
    foundBy: ['core/webhook/signing.test.ts'],
  },
  {
    name: 'slow-receivers-take-every-place',
    file: 'service/modules/5-reactions/webhooks/delivery/lanes.ts',
    find: 'Math.max(0, Math.min(free, SLOW_MAX - slowInFlight))',
    replace: 'free',
    foundBy: ['service/modules/5-reactions/webhooks/delivery/lanes.test.ts'],
  },
  {
    name: 'a-secret-opens-at-another-endpoint',
    file: 'service/modules/5-reactions/webhooks/endpoints/secret-seal.ts',
    find: '({ partnerId, place: id })',
    replace: '({ partnerId, place: id.slice(0, 0) })',
    foundBy: ['service/modules/5-reactions/webhooks/endpoints/secret-seal.test.ts'],
  },

  // Billing.
  {
    name: 'half-a-cent-always-up',
    file: 'core/billing/money.ts',
    find: 'twice === denominator && quotient % 2n === 1n',
    replace: 'twice === denominator',
    foundBy: ['core/billing/money.test.ts'],
  },
  {
    name: 'a-month-that-skips-february',
    file: 'core/billing/period.ts',
    find: 'Math.min(anchor.getUTCDate(), lastDay)',
    replace: 'anchor.getUTCDate()',
    foundBy: ['core/billing/period.test.ts'],
  },
  {
    name: 'a-full-plan-refused',
    file: 'core/billing/plan-change.ts',
    find: 'one.used > one.limit',
    replace: 'one.used >= one.limit',
    foundBy: ['core/billing/plan-change.test.ts'],
  },
  {
    name: 'a-paused-clock-that-suspends',
    file: 'core/billing/collection.ts',
    find: "if (clockPausedAt !== null || status === 'suspended')",
    replace: "if (status === 'suspended')",
    foundBy: ['core/billing/collection.test.ts'],
  },
  {
    name: 'a-pause-that-begins-again',
    file: 'service/modules/2-tenancy/billing/terms/update-subscription.ts',
    find: 'at: row.clockPausedAt ?? now',
    replace: 'at: now',
    foundBy: ['service/modules/2-tenancy/billing/periods/collect.test.ts'],
  },
  {
    name: 'a-pause-lost-with-a-status',
    file: 'service/modules/2-tenancy/billing/terms/update-subscription.ts',
    find: 'const row = await read();',
    replace: 'const row = before;',
    foundBy: ['service/modules/2-tenancy/billing/periods/collect.test.ts'],
  },
  {
    name: 'a-credit-note-that-is-demanded',
    file: 'service/schema/invoice-columns.ts',
    find: '(${LEFT})::float8',
    replace: 'i.total_minor::float8',
    foundBy: ['service/modules/2-tenancy/billing/invoices/invoices.test.ts', 'service/modules/2-tenancy/billing/periods/collect.test.ts'],
  },
  {
    name: 'an-account-suspended-by-an-invoice-due-today',
    file: 'service/modules/2-tenancy/billing/periods/store-collection.ts',
    find: 'values: [partnerId, overdueSince(now)],',
    replace: 'values: [partnerId, now],',
    foundBy: ['service/modules/2-tenancy/billing/periods/collect.test.ts'],
  },
  {
    name: 'a-suspended-account-that-is-chased',
    file: 'core/billing/collection.ts',
    find: "return accountStatus !== 'active' && !isEnded;",
    replace: 'return false;',
    foundBy: ['core/billing/collection.test.ts'],
  },
  {
    name: 'a-void-invoice-that-is-mailed',
    file: 'service/modules/2-tenancy/billing/invoices/change-invoice.ts',
    find: 'prefixes: [documentMailKey(id)]',
    replace: 'prefixes: []',
    foundBy: ['service/modules/2-tenancy/billing/invoices/document.test.ts'],
  },
  {
    name: 'a-paid-invoice-that-is-reminded-of',
    file: 'service/modules/2-tenancy/billing/periods/collect.ts',
    find: 'prefixes: [REMINDER_KEY + id]',
    replace: 'prefixes: []',
    foundBy: ['service/modules/2-tenancy/billing/periods/collect.test.ts'],
  },
  {
    name: 'a-paid-invoice-voided',
    file: 'core/billing/invoice.ts',
    find: "if (status === 'paid') return 'This invoice is paid. Issue a credit note instead.';",
    replace: '',
    foundBy: ['core/billing/invoice.test.ts'],
  },
  {
    name: 'a-cancelled-subscription-renewed',
    file: 'core/billing/roll-over.ts',
    find: 'cancelAt <= period.end',
    replace: 'cancelAt < period.end',
    foundBy: ['core/billing/roll-over.test.ts'],
  },
  {
    name: 'an-issued-invoice-that-changes',
    file: 'service/schema/functions/billing/freeze_invoice.sql',
    find: "raise exception 'invoice % is issued and cannot be changed', old.number using errcode = 'PB409';",
    replace: 'null;',
    foundBy: [
      'service/modules/2-tenancy/billing/invoices/invoices.test.ts',
      'service/modules/2-tenancy/billing/invoices/numbering.test.ts',
    ],
  },
  {
    name: 'a-trial-that-is-sold-to',
    file: 'service/modules/2-tenancy/billing/purchases/lock-open-period.ts',
    find: 'return problem === null ? subscription :',
    replace: 'return problem !== "" ? subscription :',
    foundBy: ['service/modules/2-tenancy/billing/purchases/purchases.test.ts'],
  },

  // Logins through identity providers.
  {
    name: 'an-assertion-for-another-portal',
    file: 'core/sso/assertion.ts',
    find: 'audiences) => !audiences.includes(expected.entityId)',
    replace: 'audiences) => audiences.length === 0',
    foundBy: ['core/sso/assertion.test.ts'],
  },
  {
    name: 'an-assertion-of-another-login',
    file: 'core/sso/assertion.ts',
    find: "if (inResponseTo !== expected.requestId) return mismatch('The assertion was issued",
    replace: "if (inResponseTo === '') return mismatch('The assertion was issued",
    foundBy: ['core/sso/assertion.test.ts'],
  },
  {
    name: 'an-expired-assertion',
    file: 'core/sso/assertion.ts',
    find: 'at - CLOCK_SKEW_MS < to',
    replace: 'at - 2 * CLOCK_SKEW_MS < to',
    foundBy: ['core/sso/assertion.test.ts'],
  },
  {
    name: 'a-domain-that-only-ends-alike',
    file: 'core/sso/person.ts',
    find: "return domains.includes(email.slice(email.lastIndexOf('@') + 1));",
    replace: 'return domains.some((one) => email.endsWith(one));',
    foundBy: ['core/sso/person.test.ts'],
  },
  {
    name: 'a-logout-for-another-agency',
    file: 'core/sso/logout.ts',
    find: 'facts.destination !== expected.logoutUrl',
    replace: 'facts.destination === null',
    foundBy: ['core/sso/logout.test.ts'],
  },
  {
    name: 'a-login-that-leads-elsewhere',
    file: 'core/sso/return-path.ts',
    find: '/^\\/(?![/\\\\])/',
    replace: '/^\\//',
    foundBy: ['core/sso/return-path.test.ts'],
  },
  {
    name: 'a-weak-signature',
    file: 'service/adapters/saml-signature.ts',
    find: "if (!trust.allowsSha1 && (method.hash === 'sha1' || hash === 'sha1')) return of('weak');",
    replace: '',
    foundBy: ['service/modules/2-tenancy/sso/saml-providers.test.ts'],
  },
  {
    name: 'an-assertion-that-no-one-signed',
    file: 'service/adapters/saml-response.ts',
    find: "  if (read && isElement(read, NS.assertion, 'Assertion')) return read;\n  throw signatureFault(received.signatures);",
    replace: '  return read ?? assertion;',
    foundBy: ['service/modules/2-tenancy/sso/saml.test.ts'],
  },

  // Forms of the portal.
  {
    name: 'an-application-without-terms',
    file: 'portal/features/signup/application.ts',
    find: "if (!values.acceptTerms) problems.acceptTerms = 'Accept the terms to continue.';",
    replace: '',
    foundBy: ['portal/features/signup/application.test.ts'],
  },
  {
    name: 'a-payment-of-a-credit-note',
    file: 'portal/features/billing-staff/acts.ts',
    find: "if (kind === 'credit_note') return false;",
    replace: '',
    foundBy: ['portal/features/billing-staff/acts.test.ts'],
  },
  {
    name: 'a-price-of-no-trial-days',
    file: 'portal/features/plans/terms.ts',
    find: 'trialDays: terms.isTrial ? Number(terms.trialDays) : null',
    replace: 'trialDays: Number(terms.trialDays)',
    foundBy: ['portal/features/plans/terms.test.ts'],
  },
  {
    name: 'a-window-without-its-end',
    file: 'portal/features/webhooks/recover-window.ts',
    find: "(until !== '' && to === undefined)",
    replace: 'false',
    foundBy: ['portal/features/webhooks/recover-window.test.ts'],
  },
  {
    name: 'an-older-list-decides',
    file: 'portal/features/billing-staff/open-groups.ts',
    find: 'if (readAt > (newest.get(invoice.id)?.readAt ?? -1))',
    replace: 'if (!newest.has(invoice.id))',
    foundBy: ['portal/features/billing-staff/open-groups.test.ts'],
  },
  // Components of the portal.
  {
    name: 'a-refused-form-without-focus',
    file: 'portal/shared/forms/form.tsx',
    find: `ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();`,
    replace: '',
    foundBy: ['portal/features/clients/create-client.dom.test.ts'],
  },
  {
    name: 'a-trial-that-buys',
    file: 'portal/features/billing/purchase.ts',
    find: '?? purchaseProblem(status) ?? undefined',
    replace: '?? undefined',
    foundBy: ['portal/features/billing/seats-panel.dom.test.ts'],
  },
  {
    name: 'a-save-drops-what-was-typed-meanwhile',
    file: 'portal/ui/hooks/use-edits.ts',
    find: 'settle: (sent) => setTyped((before) => typedSince(before, sent)),',
    replace: 'settle: () => setTyped({}),',
    foundBy: ['portal/features/client/business-page.dom.test.ts'],
  },
  {
    name: 'a-name-that-was-not-typed',
    file: 'portal/ui/overlays/dialog.tsx',
    find: 'return !name || text.trim() === name;',
    replace: 'return !name || text !== name;',
    foundBy: ['portal/features/automation/automation-page.dom.test.ts'],
  },
  {
    name: 'a-page-of-another-role',
    file: 'portal/app/require-role.ts',
    find: 'if (session.user.role !== role) throw',
    replace: 'if (session.user.role === undefined) throw',
    foundBy: ['portal/features/session/login-page.dom.test.ts'],
  },
  {
    name: 'a-take-down-that-a-page-waits-for',
    file: 'portal/features/automation/take-down-dialog.tsx',
    find: "const headers = { prefer: 'respond-async' };",
    replace: 'const headers = {};',
    foundBy: ['portal/features/automation/automation-page.dom.test.ts'],
  },
  {
    name: 'a-wait-that-is-not-said',
    file: 'portal/app/query-client.ts',
    find: 'onSlowedDown(error.retryAfterSeconds);',
    replace: '',
    foundBy: ['portal/features/runs/runs-page.dom.test.ts'],
  },
  {
    name: 'a-key-on-the-item-of-before',
    file: 'portal/features/queue/queue-page.tsx',
    find: 'return [ahead ? ahead.item : inAddress, choose];',
    replace: 'return [inAddress, choose];',
    foundBy: ['portal/features/queue/queue-page.dom.test.ts'],
  },
];
