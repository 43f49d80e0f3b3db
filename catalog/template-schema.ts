import { DATA_KINDS, PROFILE_KEYS, PROVIDERS, RUN_TONES, TEMPLATE_CATEGORIES } from '@partner-portal/contract/vocabulary.ts';
import {
  CONFIG_TYPES,
  INPUT_TYPES,
  type Json,
  type JsonObject,
  type Template,
  type TemplateSample,
} from '@partner-portal/core/template/types.ts';
import type { OutcomeWords, TemplateTexts } from '@partner-portal/core/template/texts.ts';
import { z } from 'zod';

/** Shape of `template.json` and `sample.json`. */

const CALLED_PROVIDERS = PROVIDERS.filter((provider) => provider !== 'code');

const json: z.ZodType<Json> = z.json();
const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);
const key = z.string().regex(/^[a-z][a-zA-Z0-9]*$/, 'a camelCase key');
const stepName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'lower-case words joined by underscores')
  .refine(
    (name) => !['trigger', 'outcome', 'answer', 'report', 'connections'].includes(name) && !name.startsWith('before_'),
    'a name the flow keeps for itself',
  );
const configValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.array(z.number())]);

const condition = z.strictObject({ ref: z.string().min(1), is: z.enum(['true', 'present']) });

const codeStep = z.strictObject({
  name: stepName,
  label: z.string().min(1).max(60),
  kind: z.literal('code'),
  file: z.string().regex(/^steps\/[a-z0-9-]+\.js$/),
  uses: z.array(z.enum(['answers', 'text', 'sms', 'mail', 'plain', 'answer-json', 'days'])),
  inputs: jsonObject,
  when: condition.exactOptional(),
  done: z.string().min(1).max(120).exactOptional(),
});

const httpStep = z.strictObject({
  name: stepName,
  label: z.string().min(1).max(60),
  kind: z.literal('http'),
  provider: z.enum(CALLED_PROVIDERS),
  request: z.strictObject({
    method: z.enum(['GET', 'POST']),
    path: z.string().startsWith('/'),
    query: z.record(z.string(), z.string()).exactOptional(),
    json: json.exactOptional(),
    form: z.string().exactOptional(),
    headers: z.record(z.string(), z.string()).exactOptional(),
  }),
  mayFail: z.literal(true).exactOptional(),
  when: condition.exactOptional(),
  done: z.string().min(1).max(120).exactOptional(),
});

const input = z.strictObject({
  key,
  label: z.string().min(1),
  ask: z.string().min(1).max(80).exactOptional(),
  type: z.enum(INPUT_TYPES),
  required: z.boolean(),
  aliases: z.array(z.string()),
  example: json,
  trueWords: z.array(z.string().min(1)).exactOptional(),
  falseWords: z.array(z.string().min(1)).exactOptional(),
  trueWithin: z.array(z.string().min(1)).exactOptional(),
  states: z.array(z.string().min(1)).exactOptional(),
  timeRequired: z.literal(true).exactOptional(),
  integer: z.literal(true).exactOptional(),
  min: z.number().exactOptional(),
  headers: z.array(z.string().regex(/^[a-z-]+$/)).exactOptional(),
  insteadOf: key.exactOptional(),
});

const config = z
  .strictObject({
    key,
    label: z.string().min(1),
    type: z.enum(CONFIG_TYPES),
    default: configValue,
    help: z.string(),
    maxLength: z.int().positive().exactOptional(),
    min: z.number().exactOptional(),
    max: z.number().exactOptional(),
    required: z.boolean().exactOptional(),
    fromProfile: z.enum(PROFILE_KEYS).exactOptional(),
    fromCountry: z.literal(true).exactOptional(),
    ofOneClient: z.literal(true).exactOptional(),
    choices: z.array(z.string()).exactOptional(),
    items: z.literal('email').exactOptional(),
  })
  // Forms show no choices, and clients may suggest any text.
  .refine(({ type, choices }) => choices === undefined || type === 'list' || type === 'numberList', 'Only a list has choices.');

const message = z.strictObject({
  step: stepName,
  channel: z.enum(['text', 'mail']),
  to: z.string(),
  subject: z.string().exactOptional(),
  body: z.string(),
  note: z.string().exactOptional(),
});

const sentenceName = z.string().regex(/^[a-z]+(_[a-z]+)*$/);

const outcome = z.strictObject({
  name: sentenceName,
  when: z.strictObject({
    is: z.record(key, z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
    has: z.array(key).min(1).exactOptional(),
    lacks: z.array(key).min(1).exactOptional(),
  }),
  tone: z.enum(RUN_TONES),
  sentence: z.string().min(1).exactOptional(),
});

export const templateSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  templateVersion: z.int().positive(),
  answersSince: z.int().positive(),
  obeysNoTextSince: z.int().positive().exactOptional(),
  obeysNoMailSince: z.int().positive().exactOptional(),
  succeedsOn: z.literal('2xx'),
  title: z.string().min(1).max(60),
  summary: z.string().min(1).max(200),
  clientSummary: z.string().min(1).max(300),
  category: z.enum(TEMPLATE_CATEGORIES),
  icon: z.string().regex(/^[a-z0-9-]+$/),
  inputs: z.array(input).min(1),
  requireOneOf: z.array(z.array(key).min(2)).exactOptional(),
  config: z.array(config),
  data: z.array(z.enum(DATA_KINDS)).min(1),
  requiredConnections: z.array(z.enum(PROVIDERS)).min(1),
  steps: z.array(z.discriminatedUnion('kind', [codeStep, httpStep])).min(1),
  result: z.record(key, z.string()),
  stopsWhen: z.array(z.string().min(1)),
  creditsPerRun: z.int().positive(),
  timeoutMinutes: z.int().positive(),
  changelog: z.array(z.strictObject({ version: z.int().positive(), text: z.string().min(1) })).min(1),
  isActive: z.boolean(),
  contactInput: key.exactOptional(),
  eventId: z.union([z.strictObject({ header: z.string().min(1) }), z.strictObject({ input: z.string().min(1) })]).exactOptional(),
  goesOn: z
    .strictObject({ states: z.record(z.string().min(1), z.array(z.string().regex(/^[a-z-]+$/)).min(1)), lacks: z.array(z.string().min(1)) })
    .exactOptional(),
  suggestedSchedule: z.enum(['hour', 'day', 'week']).exactOptional(),
  looksAt: z.literal('bookings').exactOptional(),
  sentences: z.strictObject({ running: z.string(), succeeded: z.string(), failed: z.string(), stopped: z.string() }),
  visitorSentences: z.strictObject({ running: z.string(), succeeded: z.string(), failed: z.string() }).exactOptional(),
  outcomes: z.array(outcome).min(1).exactOptional(),
  formerSentences: z.record(sentenceName, z.string().min(1)).exactOptional(),
  resultsPhrase: z.strictObject({
    one: z.string(),
    many: z.string(),
    withChats: z.strictObject({ one: z.string(), many: z.string() }).exactOptional(),
  }),
  hoursSavedPerRun: z.number().nonnegative(),
  sampleConversation: z.array(z.strictObject({ from: z.enum(['business', 'customer', 'owner']), text: z.string().min(1) })).min(1),
  messages: z.array(message),
}) satisfies z.ZodType<Template>;

export const sampleSchema = z.strictObject({
  input: jsonObject,
  config: z.record(z.string(), configValue),
  result: jsonObject,
  calls: z.array(
    z.strictObject({
      provider: z.enum(CALLED_PROVIDERS),
      method: z.enum(['GET', 'POST']),
      path: z.string().startsWith('/'),
      bodyIncludes: z.array(z.string()).exactOptional(),
    }),
  ),
}) satisfies z.ZodType<TemplateSample>;

const words = z.string().min(1);

/** Shape of `texts.<language>.json`; whether its keys are those of the template is checked by `textProblems`. */
export const textsSchema = z.strictObject({
  title: words.max(60),
  clientSummary: words.max(300),
  inputs: z.record(key, words),
  asks: z.record(key, words.max(80)).exactOptional(),
  config: z.record(key, z.strictObject({ label: words, help: z.string(), default: z.union([words, z.array(words)]).exactOptional() })),
  steps: z.record(stepName, words.max(60)),
  stopsWhen: z.array(words),
  sentences: templateSchema.shape.sentences,
  visitorSentences: templateSchema.shape.visitorSentences,
  outcomes: z.record(z.string(), words).exactOptional(),
  formerSentences: z.record(z.string(), words).exactOptional(),
  resultsPhrase: templateSchema.shape.resultsPhrase,
  sampleConversation: z.array(words),
  notes: z.record(stepName, words),
  subjects: z.record(stepName, words).exactOptional(),
  bodies: z.record(stepName, words).exactOptional(),
}) satisfies z.ZodType<TemplateTexts>;

/** Shape of `parts/outcomes.<language>.json`. */
export const outcomeWordsSchema = z.record(z.string(), words) satisfies z.ZodType<OutcomeWords>;
