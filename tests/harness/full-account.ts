import { newId } from '@partner-portal/service/platform/ids.ts';
import type { ExportService } from './exports.ts';

/** What must be in no export. */
export const SECRETS = {
  passwordHash: 'CANARY-PASSWORD-HASH',
  credential: 'CANARY-CREDENTIAL',
  webhookSecret: 'CANARY-WEBHOOK-SECRET',
  ssoSecret: 'CANARY-SSO-SECRET',
  mfaSecret: 'CANARY-MFA-SECRET',
  invitationToken: 'CANARY-INVITATION-TOKEN',
  runSecret: 'CANARY-RUN-PASSWORD',
  internalNotes: 'CANARY-INTERNAL-NOTES',
  voidedDraft: 'CANARY-VOIDED-DRAFT',
  mediaKey: 'CANARY-MEDIA-KEY-0123456789-abcdefghij',
} as const;
/** What only the agency may read. */
export const AGENCY_ONLY = {
  clientNotes: 'CANARY-CLIENT-NOTES',
  cause: 'CANARY-CAUSE',
  decisionNote: 'CANARY-DECISION',
  ref: 'CANARY-REF',
} as const;
/** Texts that a spreadsheet could run. */
export const FORMULAS = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1+1'] as const;

export type FullAccount = { workflowId: string; executionId: string; mediaName: string; image: Buffer; pdf: Buffer };

/** Gives a client one of every kind of record, and its agency one of every kind that only agencies have. `mark` is in every text. */
export async function fillAccount(
  service: ExportService,
  account: { partnerId: string; clientId: string; userId: string },
  mark: string,
): Promise<FullAccount> {
  const { partnerId, clientId, userId } = account;
  const { query } = service;
  const [workflowId, executionId, endpointId, eventId, deliveryId, invoiceId, voidedId, orderId] = Array.from({ length: 8 }, newId);
  const hostile = FORMULAS.map((text) => `${text} ${mark}`);
  const bytes = (text: string): Buffer => Buffer.from(text);
  await query('update partner set internal_notes = $2 where id = $1', [partnerId, SECRETS.internalNotes]);
  await query(`update client set notes = $2, external_ref = $3, contact_name = $4, business_profile = $5 where id = $1`, [
    clientId,
    `${AGENCY_ONLY.clientNotes} ${mark}`,
    `${AGENCY_ONLY.ref}-${mark}`,
    hostile[0],
    { faqText: `${hostile[1]}, "quoted"\nnext line` },
  ]);
  await query('update app_user set password_hash = $2 where id = $1', [userId, SECRETS.passwordHash]);
  await query('insert into user_mfa (user_id, partner_id, client_id, secret_sealed, secret_key_id) values ($1, $2, $3, $4, $5)', [
    userId,
    partnerId,
    clientId,
    bytes(SECRETS.mfaSecret),
    'test',
  ]);
  await query(
    `insert into workflow (id, partner_id, client_id, template_name, template_version, name, description, config)
     values ($1, $2, $3, 'missed-call-text-back', 1, $4, $5, $6)`,
    [workflowId, partnerId, clientId, hostile[2], `Agent ${mark}`, { text: hostile[3] }],
  );
  await query(
    `insert into workflow_schedule (workflow_id, partner_id, every, at, timezone, due_at) values ($1, $2, 'day', '09:00', 'UTC', now() + interval '1 day')`,
    [workflowId, partnerId],
  );
  await query(
    `insert into planned_run (partner_id, client_id, workflow_id, kind, origin, subject, due_at, try_at, last_at, input, label)
     values ($1, $2, $3, 'reminder', 'bookings', $4, now(), now(), now(), $5, $4)`,
    [partnerId, clientId, workflowId, `Planned ${mark}`, { note: `With ${mark}`, password: SECRETS.runSecret }],
  );
  await query(
    `insert into agent_request (partner_id, client_id, kind, title, status, origin, decision_note, requested_by, reviewed_by)
     values ($1, $2, 'custom', $3, 'rejected', 'partner', $4, $5, (select id from app_user where role = 'ADMIN' order by id limit 1))`,
    [partnerId, clientId, `Wish ${mark}`, AGENCY_ONLY.decisionNote, userId],
  );
  await query(
    `insert into reactivation_request (partner_id, client_id, scope, message, status, requester_role, decider_role, decided_at) values ($1, $2, 'client', $3, 'rejected', 'CLIENT', 'PARTNER', now())`,
    [partnerId, clientId, `Back ${mark}`],
  );
  await query('insert into report_subscription (client_id, user_id, partner_id, is_subscribed, changed_by) values ($1, $2, $3, true, $2)', [
    clientId,
    userId,
    partnerId,
  ]);
  await query(
    `insert into plan_request (partner_id, kind, status, applicant_email, applicant_name, company_name, decision_note, decided_at)
      values ($1, 'change', 'approved', 'owner@portal.test', 'Owner', 'Agency', $2, now())`,
    [partnerId, SECRETS.internalNotes],
  );
  for (const table of [
    "result_value (partner_id, template_name, currency, value_minor) values ($1, 'lead-qualifier', 'USD', 100)",
    "billing_profile (partner_id, tax_id) values ($1, 'TAX-1')",
    'alert_rules (partner_id) values ($1)',
  ])
    await query(`insert into ${table} on conflict do nothing`, [partnerId]);
  await query(
    `insert into text_suggestion (partner_id, client_id, workflow_id, key, before, text, suggested_by_name) values ($1, $2, $3, 'message', '', $4, $4)`,
    [partnerId, clientId, workflowId, `Text ${mark}`],
  );
  await query(
    `insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, credits_charged, finished_at, due_at, error_code, error_message)
     values ($1, $2, $3, $4, 'FAILED', 'ingest', $5, 1, 1, 1, now(), now(), 'twilio_down', $6)`,
    [executionId, partnerId, clientId, workflowId, `${hostile[0]}: ${AGENCY_ONLY.cause}`, AGENCY_ONLY.cause],
  );
  await query(
    'insert into execution_payload (id, partner_id, client_id, input, output, steps, understood, remarks) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      executionId,
      partnerId,
      clientId,
      { caller: '+13125550121', text: `${hostile[4]}\nand; =more`, password: SECRETS.runSecret },
      { said: `Hello ${mark}`, apiKey: SECRETS.runSecret },
      JSON.stringify([{ name: 'send', output: { token: SECRETS.runSecret, note: AGENCY_ONLY.cause } }]),
      JSON.stringify({ caller: '+13125550121', password: SECRETS.runSecret }),
      JSON.stringify([{ key: 'caller', remark: 'Two numbers came.' }]),
    ],
  );
  await query(
    `insert into usage_entry (id, partner_id, client_id, kind, credits, execution_id, workflow_id, note) values (uuidv7(), $1, $2, 'run', -1, $3, $4, $5),
      (uuidv7(), $1, $2, 'ai_tokens', -2, $3, $4, $5), (uuidv7(), $1, $2, 'ai_tokens', -7, null, null, $5)`,
    [partnerId, clientId, executionId, workflowId, `Used ${mark}`],
  );
  await query(
    `insert into inbound_event (partner_id, client_id, workflow_id, outcome, status, reason, body_preview) values ($1, $2, $3, 'refused', 422, 'invalid', $4)`,
    [partnerId, clientId, workflowId, `Preview ${mark}`],
  );
  await query('insert into opt_out (partner_id, client_id, contact) values ($1, $2, $3)', [partnerId, clientId, `+1555${mark}`]);
  await query("insert into opt_out (partner_id, client_id, contact, reason, note, added_by) values ($1, $2, $3, 'client', $4, $5)", [
    partnerId,
    clientId,
    `+1556${mark}`,
    `Asked ${mark}`,
    userId,
  ]);
  await query(
    `insert into audit_entry (partner_id, client_id, actor_type, actor_id, actor_email, action, target_type, target_label, changes) values
      ($1, $2, 'user', $3, 'user@portal.test', 'client.updated', 'client', $4, $5), ($1, $2, 'staff', null, 'secret-staff@portal.test', 'client.updated', 'client', $4, '{}')`,
    [
      partnerId,
      clientId,
      userId,
      `Audited ${mark}`,
      { internalNotes: [SECRETS.internalNotes, null], notes: ['a', AGENCY_ONLY.clientNotes] },
    ],
  );
  await query(
    `insert into alert (partner_id, client_id, rule, severity, subject_type, subject_id, subject_label, message, acknowledged_by) values ($1, $2, 'failure_streak', 'warning', 'agent', $3, $4, $4, $5)`,
    [partnerId, clientId, workflowId, `Alert ${mark}`, userId],
  );
  await query(`insert into credential (partner_id, client_id, provider, source_mode, sealed) values ($1, $2, 'twilio', 'byok', $3)`, [
    partnerId,
    clientId,
    bytes(SECRETS.credential),
  ]);
  await query(
    `insert into notification (partner_id, client_id, user_id, type, tone, title, body, href, subject, dedupe_key, mail) values ($1, $2, $3, 'security', 'info', $4, $4, '/client', 'x', $5, 'off')`,
    [partnerId, clientId, userId, `Noticed ${mark}`, newId()],
  );
  await query(
    `with made as (insert into client_import (id, partner_id, filename, mode, created, updated, unchanged, refused, reading, created_at, undo_until)
        values (uuidv7(), $1, $3, 'all', 1, 0, 0, 0, '{}', now(), now()) returning id)
     insert into client_import_row (import_id, line, partner_id, client_id, outcome, name) select id, 2, $1, $2, 'created', $3 from made`,
    [partnerId, clientId, mark],
  );
  await query(
    `insert into invitation (partner_id, client_id, kind, email, full_name, token_hash, expires_at) values ($1, $2, 'client_user', $3, $4, $5, now() + interval '7 days')`,
    [partnerId, clientId, `invited-${mark.toLowerCase()}@portal.test`, `Invited ${mark}`, bytes(`${SECRETS.invitationToken}-${mark}`)],
  );
  const image = Buffer.from(`image bytes ${mark}`);
  const mediaName = `logo ${mark}.png`;
  const stored = await service.files.store.write({ partnerId, clientId }, { purpose: 'media', contentType: 'image/png' }, one(image));
  await query(
    `insert into media (partner_id, client_id, purpose, key, filename, content_type, size_bytes, file_id) values ($1, $2, 'general', $3, $4, 'image/png', $5, $6)`,
    [partnerId, clientId, `${SECRETS.mediaKey}-${mark}`, mediaName, image.length, stored.id],
  );

  await fillChatbot(service, { partnerId, clientId, userId, workflowId: workflowId ?? '', executionId: executionId ?? '' }, mark);

  // What only agencies have.
  await query('insert into webhook_endpoint (id, partner_id, url, secret_sealed) values ($1, $2, $3, $4)', [
    endpointId,
    partnerId,
    `https://example.com/${mark}`,
    bytes(SECRETS.webhookSecret),
  ]);
  await query(
    `insert into delivery (id, partner_id, endpoint_id, event_id, event_type, body, status, finished_at) values ($1, $2, $3, $4, 'account.suspended', $5, 'delivered', now())`,
    [deliveryId, partnerId, endpointId, eventId, JSON.stringify({ data: `Delivered ${mark}` })],
  );
  await query(`insert into delivery_attempt (partner_id, delivery_id, n, http_status, response_preview) values ($1, $2, 1, 200, $3)`, [
    partnerId,
    deliveryId,
    `Thanks ${mark}`,
  ]);
  await query(
    `insert into sso_connection (partner_id, protocol, email_domains, issuer, oidc_client_id, client_secret_sealed) values ($1, 'oidc', $2, $3, 'id', $4) on conflict do nothing`,
    [partnerId, [`${mark.toLowerCase()}.example`], `https://idp.example/${mark}`, bytes(SECRETS.ssoSecret)],
  );
  await query(
    `insert into billing_order (id, partner_id, kind, quantity, unit_price_minor, amount_minor, currency) values ($1, $2, 'seats', 1, 100, 100, 'USD')`,
    [orderId, partnerId],
  );
  const pdf = Buffer.from(`%PDF-1.7 ${mark}`);
  await query(
    `with draft as (insert into invoice (id, partner_id, currency, status, subtotal_minor, total_minor) values ($2, $1, 'USD', 'draft', 100, 100))
     insert into invoice_line (partner_id, invoice_id, order_id, kind, description, quantity, unit_price_minor, amount_minor, currency) values ($1, $2, $3, 'seats', $4, 1, 100, 100, 'USD')`,
    [partnerId, invoiceId, orderId, `Line ${mark}`],
  );
  await query(`update invoice set status = 'issued', number = $2, issued_at = now(), seller = '{}', buyer = $3 where id = $1`, [
    invoiceId,
    `INV-${mark}`,
    { name: hostile[0] },
  ]);
  await query(
    `with draft as (insert into invoice (id, partner_id, currency, status, subtotal_minor, total_minor) values ($2, $1, 'USD', 'draft', 100, 100))
     insert into invoice_line (partner_id, invoice_id, kind, description, quantity, unit_price_minor, amount_minor, currency) values ($1, $2, 'seats', $3, 1, 100, 100, 'USD')`,
    [partnerId, voidedId, SECRETS.voidedDraft],
  );
  await query(`update invoice set status = 'void', voided_at = now(), void_reason = $2 where id = $1`, [voidedId, SECRETS.voidedDraft]);
  await query(
    `with stored as (insert into file (partner_id, purpose, content_type, chunk_bytes, size_bytes, sha256, completed_at)
         values ($2, 'invoice', 'application/pdf', 262144, octet_length($3::bytea), sha256($3::bytea), now()) returning id),
       chunk as (insert into file_chunk (file_id, n, partner_id, content) select id, 0, $2, $3::bytea from stored)
     insert into invoice_document (invoice_id, partner_id, file_id) select $1, $2, id from stored`,
    [invoiceId, partnerId, pdf],
  );
  return { workflowId: workflowId ?? '', executionId: executionId ?? '', mediaName, image, pdf };
}

/** A chatbot that knows a file, and a conversation in which it ran an agent. */
async function fillChatbot(
  { query, files }: ExportService,
  account: { partnerId: string; clientId: string; userId: string; workflowId: string; executionId: string },
  mark: string,
): Promise<void> {
  const { partnerId, clientId, userId, workflowId, executionId } = account;
  const [chatbotId, conversationId, turnId] = Array.from({ length: 3 }, newId);
  await query(
    `insert into chatbot (id, partner_id, client_id, name, greeting, persona, knowledge_text, provider, model) values ($1, $2, $3, $4, $5, $4, $5, 'openai', 'gpt-4.1-mini')`,
    [chatbotId, partnerId, clientId, `${FORMULAS[0]} Chatbot ${mark}`, `${FORMULAS[1]} Hello ${mark}`],
  );
  await query('insert into chatbot_route (chatbot_id, n, partner_id, client_id, intent, workflow_id) values ($1, 1, $2, $3, $4, $5)', [
    chatbotId,
    partnerId,
    clientId,
    `Intent ${mark}`,
    workflowId,
  ]);
  const stored = await files.store.write(
    { partnerId, clientId },
    { purpose: 'knowledge', contentType: 'text/plain' },
    one(knowledgeOf(mark)),
  );
  await query(
    `with document as (insert into knowledge_document (partner_id, client_id, chatbot_id, kind, title, content_type, size_bytes, file_id, status, passages)
        values ($1, $2, $3, 'file', $4, 'text/plain', $5, $6, 'ready', 1) returning id),
      word as (insert into knowledge_word (chatbot_id, word, partner_id, client_id, passages) values ($3, lower($7), $1, $2, 1))
     insert into knowledge_passage (partner_id, client_id, chatbot_id, document_id, n, content, search) select $1, $2, $3, id, 1, $7, to_tsvector('simple', $7) from document`,
    [partnerId, clientId, chatbotId, `Prices ${mark}`, knowledgeOf(mark).length, stored.id, `Passage${mark}`],
  );
  await query(
    `insert into conversation (id, partner_id, client_id, chatbot_id, visitor_label, origin) values ($1, $2, $3, $4, $5, 'https://shop.example')`,
    [conversationId, partnerId, clientId, chatbotId, `Visitor ${mark}`],
  );
  await query(
    `insert into conversation_turn (id, partner_id, client_id, conversation_id, state, intent, workflow_id, inputs, execution_id, outcome, finished_at)
     values ($1, $2, $3, $4, 'done', $5, $6, $7, $8, $9, now())`,
    [
      turnId,
      partnerId,
      clientId,
      conversationId,
      `Intent ${mark}`,
      workflowId,
      { callerNumber: '+13125550121', password: SECRETS.runSecret },
      executionId,
      { kind: 'failed', summary: AGENCY_ONLY.cause },
    ],
  );
  await query(
    `insert into conversation_message (partner_id, client_id, conversation_id, author, content, turn_id) values ($1, $2, $3, 'visitor', $4, null), ($1, $2, $3, 'bot', $5, $6)`,
    [partnerId, clientId, conversationId, `${FORMULAS[3]} asked ${mark}`, `Said ${mark}`, turnId],
  );
  await query(`insert into partner_domain (partner_id, host, token) values ($1, $2, 'a token') on conflict do nothing`, [
    partnerId,
    `${mark.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}.example`,
  ]);
  await query('insert into canned_reply (partner_id, client_id, title, content, created_by) values ($1, $2, $3, $3, $4)', [
    partnerId,
    clientId,
    `Canned ${mark}`,
    userId,
  ]);
  await query(
    `insert into ai_call (id, partner_id, client_id, conversation_id, turn_id, purpose, provider, model, source_mode, status, expires_at)
     values (uuidv7(), $1, $2, $3, $4, 'chatbot', 'openai', $5, 'platform', 'settled', now())`,
    [partnerId, clientId, conversationId, turnId, `model-${mark}`],
  );
}

/** The bytes of the file that the chatbot of an account knows. */
export const knowledgeOf = (mark: string): Buffer => Buffer.from(`What ${mark} knows.`);

async function* one(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
