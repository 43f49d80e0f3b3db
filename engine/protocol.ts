/**
 * The engine protocol subset we speak, as zod schemas: what a client sends and what it may rely on in an answer.
 * The only file of this package that others import (besides `start.ts` and the options of `main.ts`). Answers of the
 * external engine carry more fields than named here; parsing drops them. Source: recorded exchanges of 0.85.2.
 */
import { z } from 'zod';

export const ENGINE_VERSION = '0.85.2';
export const FLOW_SCHEMA_VERSION = '22';
export const HTTP_PIECE = '@activepieces/piece-http';
export const WEBHOOK_PIECE = '@activepieces/piece-webhook';
/** Exact piece versions of this engine; the external one may carry others: read them from `GET /v1/pieces/<name>`. */
export const PIECE_VERSIONS = { [HTTP_PIECE]: '0.11.9', [WEBHOOK_PIECE]: '0.1.34' } as const;

export const engineIdSchema = z.string().regex(/^[0-9a-zA-Z]{21}$/);
/**
 * Not part of the external engine's protocol: a webhook call with this header (a UUID version 7) stores one run however often it is repeated,
 * and `GET /v1/flow-runs/<key>` returns that run. The external engine ignores the header and answers such a path 400.
 */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const idempotencyKeySchema = z.uuidv7();
export const stepNameSchema = z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/);

const jsonObject = z.record(z.string(), z.unknown());
const toggle = z.object({ value: z.boolean().optional() }).optional();
const errorHandlingSchema = z.object({ continueOnFailure: toggle, retryOnFailure: toggle }).optional();
const sampleData = jsonObject.optional();

export const routerOperators = [
  'TEXT_CONTAINS',
  'TEXT_DOES_NOT_CONTAIN',
  'TEXT_EXACTLY_MATCHES',
  'TEXT_DOES_NOT_EXACTLY_MATCH',
  'TEXT_STARTS_WITH',
  'TEXT_DOES_NOT_START_WITH',
  'TEXT_ENDS_WITH',
  'TEXT_DOES_NOT_END_WITH',
  'NUMBER_IS_GREATER_THAN',
  'NUMBER_IS_LESS_THAN',
  'NUMBER_IS_EQUAL_TO',
  'BOOLEAN_IS_TRUE',
  'BOOLEAN_IS_FALSE',
  'EXISTS',
  'DOES_NOT_EXIST',
  'LIST_CONTAINS',
  'LIST_DOES_NOT_CONTAIN',
  'LIST_IS_EMPTY',
  'LIST_IS_NOT_EMPTY',
  'DATE_IS_BEFORE',
  'DATE_IS_AFTER',
  'DATE_IS_EQUAL',
] as const;
export type RouterOperator = (typeof routerOperators)[number];

const conditionSchema = z.object({
  operator: z.enum(routerOperators).optional(),
  firstValue: z.unknown().optional(),
  secondValue: z.unknown().optional(),
  caseSensitive: z.boolean().optional(),
});
export type RouterCondition = z.infer<typeof conditionSchema>;

const branchSchema = z.discriminatedUnion('branchType', [
  z.object({ branchName: z.string(), branchType: z.literal('CONDITION'), conditions: z.array(z.array(conditionSchema)) }),
  z.object({ branchName: z.string(), branchType: z.literal('FALLBACK') }),
]);
export type RouterBranch = z.infer<typeof branchSchema>;

const pieceSettings = z.object({
  pieceName: z.string(),
  pieceVersion: z.string(),
  actionName: z.string().optional(),
  input: jsonObject,
  propertySettings: jsonObject,
  sampleData,
  errorHandlingOptions: errorHandlingSchema,
});
const codeSettings = z.object({
  sourceCode: z.object({ code: z.string(), packageJson: z.string() }),
  input: jsonObject,
  propertySettings: jsonObject.optional(),
  sampleData,
  errorHandlingOptions: errorHandlingSchema,
});
const loopSettings = z.object({ items: z.unknown(), propertySettings: jsonObject.optional(), sampleData });
const routerSettings = z.object({
  executionType: z.enum(['EXECUTE_FIRST_MATCH', 'EXECUTE_ALL_MATCH']),
  branches: z.array(branchSchema),
  propertySettings: jsonObject.optional(),
  sampleData,
});
const triggerSettings = z.object({
  pieceName: z.string(),
  pieceVersion: z.string(),
  triggerName: z.string().optional(),
  input: jsonObject,
  propertySettings: jsonObject,
  sampleData,
});

type StepBase = {
  name: string;
  displayName: string;
  valid: boolean;
  skip?: boolean | undefined;
  lastUpdatedDate?: string | undefined;
  nextAction?: Action | null | undefined;
};
export type PieceAction = StepBase & { type: 'PIECE'; settings: z.infer<typeof pieceSettings> };
export type CodeAction = StepBase & { type: 'CODE'; settings: z.infer<typeof codeSettings> };
export type LoopAction = StepBase & {
  type: 'LOOP_ON_ITEMS';
  settings: z.infer<typeof loopSettings>;
  firstLoopAction?: Action | null | undefined;
};
export type RouterAction = StepBase & {
  type: 'ROUTER';
  settings: z.infer<typeof routerSettings>;
  children: (Action | null)[];
};
export type Action = PieceAction | CodeAction | LoopAction | RouterAction;
export type Trigger = StepBase &
  ({ type: 'PIECE_TRIGGER'; settings: z.infer<typeof triggerSettings> } | { type: 'EMPTY'; settings: unknown });

const stepBase = { name: stepNameSchema, displayName: z.string(), valid: z.boolean(), skip: z.boolean().optional() };

/** One action without followers, as ADD_ACTION and UPDATE_ACTION take it. */
export const singleActionSchema = z.discriminatedUnion('type', [
  z.object({ ...stepBase, type: z.literal('PIECE'), settings: pieceSettings }),
  z.object({ ...stepBase, type: z.literal('CODE'), settings: codeSettings }),
  z.object({ ...stepBase, type: z.literal('LOOP_ON_ITEMS'), settings: loopSettings }),
  z.object({ ...stepBase, type: z.literal('ROUTER'), settings: routerSettings }),
]);
export type SingleAction = z.infer<typeof singleActionSchema>;

const importedBase = { ...stepBase, lastUpdatedDate: z.string() };
const lazyAction: z.ZodType<Action> = z.lazy(() => importedActionSchema);
const nextAction = lazyAction.nullish();
const importedActionSchema: z.ZodType<Action> = z.discriminatedUnion('type', [
  z.object({ ...importedBase, type: z.literal('PIECE'), settings: pieceSettings, nextAction }),
  z.object({ ...importedBase, type: z.literal('CODE'), settings: codeSettings, nextAction }),
  z.object({
    ...importedBase,
    type: z.literal('LOOP_ON_ITEMS'),
    settings: loopSettings,
    nextAction,
    firstLoopAction: lazyAction.nullish(),
  }),
  z.object({
    ...importedBase,
    type: z.literal('ROUTER'),
    settings: routerSettings,
    nextAction,
    children: z.array(lazyAction.nullable()),
  }),
]);

const singleTriggerSchema = z.object({ ...stepBase, type: z.literal('PIECE_TRIGGER'), settings: triggerSettings });
const importedTriggerSchema: z.ZodType<Trigger> = z.discriminatedUnion('type', [
  z.object({ ...importedBase, type: z.literal('PIECE_TRIGGER'), settings: triggerSettings, nextAction }),
  z.object({ ...importedBase, type: z.literal('EMPTY'), settings: z.unknown(), nextAction }),
]);

const flowStatusSchema = z.enum(['ENABLED', 'DISABLED']);
export const metadataSchema = jsonObject.nullish();

/** Body of `IMPORT_FLOW`: the whole tree; every step carries `lastUpdatedDate`. */
const importRequestSchema = z.object({
  displayName: z.string(),
  trigger: importedTriggerSchema,
  schemaVersion: z.string().nullish(),
  notes: z.array(z.unknown()).nullish(),
});
export const flowOperationSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('CHANGE_NAME'), request: z.object({ displayName: z.string() }) }),
  z.object({ type: z.literal('UPDATE_TRIGGER'), request: singleTriggerSchema }),
  z.object({
    type: z.literal('ADD_ACTION'),
    request: z.object({
      parentStep: z.string(),
      stepLocationRelativeToParent: z.enum(['AFTER', 'INSIDE_LOOP', 'INSIDE_BRANCH']).optional(),
      branchIndex: z.number().int().optional(),
      action: singleActionSchema,
    }),
  }),
  z.object({ type: z.literal('UPDATE_ACTION'), request: singleActionSchema }),
  z.object({ type: z.literal('DELETE_ACTION'), request: z.object({ names: z.array(z.string()) }) }),
  z.object({ type: z.literal('SET_SKIP_ACTION'), request: z.object({ names: z.array(z.string()), skip: z.boolean() }) }),
  z.object({ type: z.literal('IMPORT_FLOW'), request: importRequestSchema }),
  z.object({ type: z.literal('LOCK_AND_PUBLISH'), request: z.object({ status: flowStatusSchema.optional() }) }),
  z.object({ type: z.literal('CHANGE_STATUS'), request: z.object({ status: flowStatusSchema }) }),
  z.object({ type: z.literal('USE_AS_DRAFT'), request: z.object({ versionId: engineIdSchema }) }),
  z.object({ type: z.literal('UPDATE_METADATA'), request: z.object({ metadata: metadataSchema }) }),
]);
export type FlowOperation = z.infer<typeof flowOperationSchema>;

export const connectionValueSchemas = {
  SECRET_TEXT: z.object({ type: z.literal('SECRET_TEXT'), secret_text: z.string().min(1) }),
  BASIC_AUTH: z.object({ type: z.literal('BASIC_AUTH'), username: z.string().min(1), password: z.string().min(1) }),
  CUSTOM_AUTH: z.object({ type: z.literal('CUSTOM_AUTH'), props: jsonObject }),
  NO_AUTH: z.object({ type: z.literal('NO_AUTH') }),
};
export type ConnectionType = keyof typeof connectionValueSchemas;
export type ConnectionValue = { [T in ConnectionType]: z.infer<(typeof connectionValueSchemas)[T]> }[ConnectionType];

/** Body of the connection upsert; `value` is checked against `type` afterwards (`connectionValueSchemas`). */
export const connectionUpsertSchema = z.object({
  externalId: z.string().min(1),
  displayName: z.string(),
  pieceName: z.string(),
  pieceVersion: z.string().optional(),
  projectId: z.string(),
  type: z.enum(['SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH', 'NO_AUTH', 'PLACEHOLDER']),
  value: z.looseObject({ type: z.string() }).optional(),
  metadata: metadataSchema,
});
export type ConnectionUpsert = z.infer<typeof connectionUpsertSchema>;

export const signInRequestSchema = z.object({ email: z.string().trim().min(1), password: z.string().min(8).max(64) });
export const projectCreateSchema = z.object({
  displayName: z.string(),
  externalId: z.string().nullish(),
  metadata: metadataSchema,
});
export const flowCreateSchema = z.object({ displayName: z.string(), projectId: z.string(), metadata: metadataSchema });

export const runStatuses = [
  'FAILED',
  'QUOTA_EXCEEDED',
  'INTERNAL_ERROR',
  'PAUSED',
  'QUEUED',
  'RUNNING',
  'SUCCEEDED',
  'MEMORY_LIMIT_EXCEEDED',
  'TIMEOUT',
  'CANCELED',
  'LOG_SIZE_EXCEEDED',
] as const;
export type RunStatus = (typeof runStatuses)[number];
export const retryRequestSchema = z.object({
  strategy: z.enum(['FROM_FAILED_STEP', 'ON_LATEST_VERSION']),
  projectId: z.string(),
});

// ---- answers, as a client may rely on them (both engines): only what a client reads must be there ----

const reply = { id: z.string(), created: z.string().optional(), updated: z.string().optional() };
export const pageReplySchema = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    next: z
      .string()
      .nullish()
      .transform((cursor) => cursor ?? null),
  });
export const healthReplySchema = z.object({ status: z.enum(['Healthy', 'Unhealthy']) });
export const flagsReplySchema = z.object({ CURRENT_VERSION: z.string(), EDITION: z.string().default('unknown') });
export const signInReplySchema = z.object({ token: z.string(), platformId: z.string().nullish() });
export const projectReplySchema = z.object({
  ...reply,
  displayName: z.string(),
  externalId: z.string().nullish(),
  type: z.enum(['PERSONAL', 'TEAM']).optional(),
});
export const connectionReplySchema = z.object({
  ...reply,
  externalId: z.string(),
  displayName: z.string().optional(),
  type: z.string().optional(),
  status: z.string().optional(),
});
/** A returned step tree; settings stay open, since the engine adds fields of its own to what was sent. */
export type ReturnedStep = {
  name: string;
  type: string;
  displayName: string;
  valid: boolean;
  skip?: boolean | undefined;
  settings: Record<string, unknown>;
  nextAction?: ReturnedStep | null | undefined;
  firstLoopAction?: ReturnedStep | null | undefined;
  children?: (ReturnedStep | null)[] | undefined;
};
const lazyStep: z.ZodType<ReturnedStep> = z.lazy(() => returnedStepSchema);
export const returnedStepSchema: z.ZodType<ReturnedStep> = z.object({
  name: z.string(),
  type: z.string(),
  displayName: z.string(),
  valid: z.boolean(),
  skip: z.boolean().optional(),
  settings: jsonObject,
  nextAction: lazyStep.nullish(),
  firstLoopAction: lazyStep.nullish(),
  children: z.array(lazyStep.nullable()).optional(),
});
export const flowVersionReplySchema = z.object({
  ...reply,
  displayName: z.string(),
  trigger: returnedStepSchema,
  valid: z.boolean(),
  state: z.enum(['DRAFT', 'LOCKED']).optional(),
  schemaVersion: z.string().nullish(),
});
export const flowReplySchema = z.object({
  ...reply,
  projectId: z.string(),
  status: flowStatusSchema,
  publishedVersionId: z.string().nullish(),
  metadata: jsonObject.nullish(),
  operationStatus: z.string().optional(),
  version: flowVersionReplySchema,
});
export const stepReplySchema = z.looseObject({
  type: z.string().optional(),
  status: z.string(),
  input: z.unknown(),
  output: z.unknown().optional(),
  duration: z.number().optional(),
  errorMessage: z.string().optional(),
});
export const runReplySchema = z.object({
  ...reply,
  flowId: z.string().nullish(),
  status: z.enum(runStatuses),
  startTime: z.string().nullish(),
  finishTime: z.string().nullish(),
  failedStep: z.object({ name: z.string(), displayName: z.string(), message: z.string().optional() }).nullish(),
  stepsCount: z.number().nullish(),
  steps: z.record(z.string(), stepReplySchema).nullish(),
});
export const pieceReplySchema = z.object({ name: z.string(), version: z.string() });
/** An engine error body; framework errors carry `statusCode` and `message` instead of `params`. */
export const errorReplySchema = z.object({
  code: z.string().optional(),
  params: z.unknown().optional(),
  statusCode: z.number().optional(),
  message: z.string().optional(),
});
export type FlowReply = z.infer<typeof flowReplySchema>;
export type RunReply = z.infer<typeof runReplySchema>;
export type ProjectReply = z.infer<typeof projectReplySchema>;
export type ConnectionReply = z.infer<typeof connectionReplySchema>;
