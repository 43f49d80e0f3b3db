/**
 * Example requests and responses of the API document, generated from its schemas so that none can go stale: a member's example is its
 * schema's, else by its name, else by its type.
 */

type Schema = { [member: string]: unknown };

const ID = '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01';
const TIME = '2026-01-05T09:12:44.102Z';

/** Example values by member name. Used only where the type matches. */
const BY_NAME: { readonly [name: string]: unknown } = {
  role: 'PARTNER',
  avatarUrl: null,
  logoUrl: null,
  logoAlt: null,
  client: null,
  rerunOf: null,
  acceptedAt: null,
  revokedAt: null,
  suspendedAt: null,
  suspensionReason: null,
  email: 'maya@northwind.example',
  ownerEmail: 'maya@northwind.example',
  ownerName: 'Maya Lindqvist',
  fullName: 'Maya Lindqvist',
  invitedByName: 'Maya Lindqvist',
  password: 'velvet-lamp-7-Kq',
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIi…',
  token: 'D9MTmI5By0jEN_ldgCvVsmxF1e2PzWang4AvRPn2eZs',
  tempToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIi…',
  name: 'Northwind Studio',
  partnerName: 'Northwind Studio',
  slug: 'northwind',
  clientName: 'Oak Street Dental',
  agentName: 'Missed-call text-back',
  timezone: 'America/Chicago',
  locale: 'en-US',
  currency: 'USD',
  country: 'US',
  number: '2026-000123',
  month: '2026-01',
  mapping: '{"1":"name","2":"contactEmail"}',
  packId: 'pack-1000',
  brandColor: '#1f4e8c',
  phone: '+13125550100',
  website: 'https://northwind.example',
  url: 'https://portal.example.com/webhooks/agents/0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01?token=bd0b1d5b…',
  acceptUrl: 'https://portal.example.com/invite/D9MTmI5By0j…',
  templateName: 'missed-call-text-back',
  model: 'gpt-4o-mini',
  code: 'twilio_sender_rejected',
  status: 'succeeded',
  templateNames: ['missed-call-text-back'],
  provider: 'twilio',
  title: 'Missed-call text-back',
  category: 'calls',
  icon: 'phone',
  summary: 'Texted +1 312 ··· 0121 after a missed call',
  message: 'Twilio accepted the key.',
  reason: 'Invoices unpaid since March.',
  note: 'Agreed by phone.',
  at: '07:30',
  label: 'Send text',
  stepName: 'send_text',
  stepNames: ['Send text'],
  nextCursor: null,
  detail: 'One agent lacks its key.',
  error: null,
  errorPublic: null,
  lastError: null,
  baseUrl: 'http://engine.internal:8080',
  query: 'select count(*) from visits',
  issuer: 'https://login.northwind.example',
  metadataUrl: 'https://login.northwind.example/metadata.xml',
  clientSecret: 'kept-sealed-and-never-shown',
  emailDomains: ['northwind.example'],
  recipients: ['maya@northwind.example'],
  eventId: 'evt_01KDZ8T5V6ABCDEFGHJKMNPQRS',
};

/** Adds an example to every JSON body and response of an OpenAPI document that has none. */
export function addExamples(document: unknown): unknown {
  const { paths = {}, components = {} } = document as { paths?: Schema; components?: { schemas?: Schema } }; // an OpenAPI document, as its converter made it
  const named = (components.schemas ?? {}) as { [name: string]: Schema };
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations as { [method: string]: Operation })) {
      fill(operation.requestBody?.content, named);
      for (const [status, response] of Object.entries(operation.responses ?? {})) if (Number(status) < 400) fill(response.content, named);
    }
  }
  return document;
}

type Content = { [mime: string]: { schema?: Schema; example?: unknown } };
type Operation = { requestBody?: { content?: Content }; responses?: { [status: string]: { content?: Content } } };

function fill(content: Content | undefined, named: { [name: string]: Schema }): void {
  for (const [mime, body] of Object.entries(content ?? {})) {
    if (mime === 'text/csv') body.example ??= 'Run,Started,Status\r\n';
    else if (mime === 'text/event-stream' && !body.schema?.examples)
      body.example = `id: 1\nevent: execution.started\ndata: {"id":"${ID}"}\n\n`;
    // Bytes have no example.
    else if (mime === 'application/pdf') delete body.example;
    // The converter has moved the example of a whole body here already.
    else if (body.schema && body.example === undefined) body.example = exampleOf(body.schema, '', named);
  }
}

/** Returns a value that the schema accepts. */
function exampleOf(schema: Schema, name: string, named: { [name: string]: Schema }): unknown {
  if (typeof schema.$ref === 'string') return exampleOf(named[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name, named);
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.includes(BY_NAME[name]) ? BY_NAME[name] : schema.enum[0];
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined; // both notations of a union
  if (choices) {
    const nullable = choices.some((one) => one.type === 'null');
    if (nullable && BY_NAME[name] === null) return null;
    return exampleOf(choices.find((one) => one.type !== 'null') ?? {}, name, named);
  }
  if (Array.isArray(schema.type))
    return BY_NAME[name] === null ? null : exampleOf({ ...schema, type: schema.type.find((one) => one !== 'null') }, name, named);
  if (schema.type === 'object') return objectExample(schema, named);
  if (schema.type === 'array') {
    return Array.isArray(BY_NAME[name]) ? BY_NAME[name] : [exampleOf((schema.items ?? {}) as Schema, name, named)]; // our lists have one kind of item
  }
  return plainExample(schema, name);
}

function objectExample(schema: Schema, named: { [name: string]: Schema }): unknown {
  const members = Object.entries((schema.properties ?? {}) as { [member: string]: Schema }); // JSON Schema: a member's schema by its name
  return Object.fromEntries(members.map(([member, one]) => [member, exampleOf(one, member, named)]));
}

function plainExample(schema: Schema, name: string): unknown {
  if (schema.format === 'uuid') return ID;
  if (schema.format === 'date-time') return TIME;
  const known = BY_NAME[name];
  if (schema.type === 'string') return typeof known === 'string' ? known : formatted(schema, name);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, Number(schema.minimum ?? 1));
  if (schema.type === 'null') return null;
  return known ?? {};
}

function formatted(schema: Schema, name: string): string {
  if (schema.format === 'email' || /email/i.test(name)) return 'maya@northwind.example';
  if (schema.format === 'uri' || /url$/i.test(name)) return 'https://northwind.example';
  if (/color|colour/i.test(name)) return '#1f4e8c';
  if (/month$/i.test(name)) return TIME.slice(0, 7);
  if (schema.format === 'date' || /date$/i.test(name)) return TIME.slice(0, 10);
  return 'text';
}
